export { awaitShell } from './await-shell/await-shell.ts';
export { fileEdit } from './file-edit/file-edit.ts';
export { fileWrite } from './file-write/file-write.ts';
export { globFiles } from './glob-files/glob-files.ts';
export { grepFiles } from './grep-files/grep-files.ts';
export { killShell } from './kill-shell/kill-shell.ts';
export { readFile } from './read-file/read-file.ts';
export { runBash } from './run-bash/run-bash.ts';
