/** Programs and libraries, read-only inside. */
export const SYSTEM_FOLDERS = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store'] as const;

/** What programs need of /etc; its secrets are not among it. */
export const ETC = [
  ...['alternatives', 'bash.bashrc', 'ca-certificates', 'ca-certificates.conf', 'crypto-policies', 'debian_version'],
  ...['fonts', 'group', 'host.conf', 'hosts', 'inputrc', 'java-17-openjdk', 'ld.so.cache', 'ld.so.conf'],
  ...['ld.so.conf.d', 'localtime', 'locale.alias', 'magic', 'magic.mime', 'mime.types', 'networks', 'nsswitch.conf'],
  ...[
    'os-release',
    'passwd',
    'perl',
    'pki/ca-trust',
    'pki/tls/certs',
    'profile',
    'protocols',
    'python3',
    'resolv.conf',
  ],
  ...['services', 'ssl/cert.pem', 'ssl/certs', 'ssl/openssl.cnf', 'terminfo', 'timezone'],
] as const;

/** Files of a workspace that are run or obeyed outside of the sandbox later; read-only inside when they exist. */
export const PROTECTED = [
  ...['toolwright.json', '.toolwright', '.mcp.json', '.env', 'AGENTS.md'],
  ...['.git/hooks', '.git/config', '.git/commondir', '.git/info/attributes'],
] as const;

/** Folders of a person's home that are shown empty when the home itself is a folder of the session. */
export const SECRET_FOLDERS = ['.ssh', '.gnupg', '.aws', '.azure', '.kube', '.docker', '.config/gcloud'] as const;
