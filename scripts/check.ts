import { type Dirent, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { checkBudgets } from './budgets.ts';
import type { Finding, Report } from './finding.ts';

interface Import {
  readonly specifier: string;
  readonly line: number;
  /** Repository path that a relative import leads to. */
  readonly target?: string;
}

const FLOORS = [
  ['core', 'schema', 'wire'],
  ['registry', 'executor', 'policy', 'hooks', 'agent', 'mcp', 'model', 'sandbox', 'store', 'skills', 'tools', 'astro'],
  ['runtime', 'testing'],
  ['cli', 'server'],
];
/** All that floor 0 may take from outside; `core` takes nothing. */
const FLOOR_0_PACKAGES = /^(zod|ajv|ajv-formats|node:module|node:vm)(\/|$)/;
const CHECKED_FOLDERS = ['src', 'test', 'scripts', 'bench', 'examples', 'web'];
const SKIPPED_FOLDERS = new Set(['node_modules', 'dist', 'fixtures']);

const isHouse = (file: string) => /^src\/.*(?<!\.test)\.tsx?$/.test(file);
const isDoor = (file: string) => /^src\/([^/]+\/index|[^/]+)\.ts$/.test(file);
const roomOf = (file: string) => file.split('/')[1]?.replace(/\.ts$/, '') ?? '';
/** A file directly under `src` is a subpath's own door and stands on the composition floor. */
const floorOf = (file: string) =>
  /^src\/[^/]+\.ts$/.test(file) ? 2 : FLOORS.findIndex((rooms) => rooms.includes(roomOf(file)));

/** Proves the rules of the house on the tree under `root`; findings are sorted by file and line. */
export function check(root: string): Finding[] {
  const findings: Finding[] = [];
  const report: Report = (file, line, rule, message, kind = 'breach') =>
    void findings.push({ kind, file, line, rule, message });
  const files = CHECKED_FOLDERS.flatMap((folder) => codeFiles(root, folder));
  const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
  const imports = new Map(files.filter(isHouse).map((file) => [file, importsOf(file, texts.get(file) ?? '')]));

  checkBudgets(texts, report);
  for (const [file, list] of imports) {
    if (floorOf(file) < 0) report(file, 1, 'rooms', `${roomOf(file)} stands on no floor of scripts/check.ts`);
    else for (const one of list) checkImport(file, one, report);
  }
  checkCycles(imports, report);
  return findings.sort((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1));
}

function codeFiles(root: string, folder: string): string[] {
  let entries: Dirent[] = [];
  try {
    entries = readdirSync(join(root, folder), { withFileTypes: true });
  } catch {}
  return entries.flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return SKIPPED_FOLDERS.has(entry.name) ? [] : codeFiles(root, path);
    return /\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

/** Every import of a file: static, re-export, dynamic, and `import('x').Type`. */
function importsOf(file: string, text: string): Import[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const found: Import[] = [];
  const visit = (node: ts.Node): void => {
    let name: ts.Node | undefined;
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) name = node.moduleSpecifier;
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) name = node.argument.literal;
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) [name] = node.arguments;
    if (name && ts.isStringLiteralLike(name)) {
      const specifier = name.text;
      const line = source.getLineAndCharacterOfPosition(name.getStart(source)).line + 1;
      found.push({ specifier, line, ...(specifier.startsWith('.') && { target: join(file, '..', specifier) }) });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function checkImport(file: string, { specifier, line, target }: Import, report: Report): void {
  const room = roomOf(file);
  const direction = (message: string) => report(file, line, 'direction', message);
  const door = (message: string) => report(file, line, 'door', message);
  if (target === undefined) {
    if (room === 'core') direction(`core imports nothing, not even "${specifier}"`);
    else if (floorOf(file) === 0 && !FLOOR_0_PACKAGES.test(specifier))
      direction(`floor 0 must not take "${specifier}"`);
    else if (/^toolwright(\/|$)/.test(specifier)) door('rooms import each other by path');
  } else if (!target.startsWith('src/')) direction(`"${target}" lies outside src`);
  else if (roomOf(target) === room) {
    if (target === `src/${room}/index.ts`) door('a file imports the index of its own room');
  } else {
    if (!isDoor(target)) door(`the only door of ${roomOf(target)} is src/${roomOf(target)}/index.ts`);
    if (!mayImport(file, target)) direction(`${room} must not import ${roomOf(target)}`);
  }
}

function mayImport(file: string, target: string): boolean {
  const [room, other, otherFloor] = [roomOf(file), roomOf(target), floorOf(target)];
  if (otherFloor < 0) return false;
  const floor = floorOf(file);
  if (floor === 0) return room !== 'core' && other === 'core';
  if (floor === 1) return otherFloor === 0;
  if (floor === 2) return otherFloor <= 1 || (room === 'testing' && other === 'runtime');
  return otherFloor === 0 || other === 'runtime';
}

/** Any circle of imports, type-only ones included, told once at the import that closes it. */
function checkCycles(imports: ReadonlyMap<string, readonly Import[]>, report: Report): void {
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (file: string): void => {
    path.push(file);
    for (const { target, line } of imports.get(file) ?? []) {
      if (target === undefined || !imports.has(target) || done.has(target)) continue;
      const start = path.indexOf(target);
      if (start < 0) visit(target);
      else report(file, line, 'cycle', [...path.slice(start), target].join(' -> '));
    }
    path.pop();
    done.add(file);
  };
  for (const file of imports.keys()) if (!done.has(file)) visit(file);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const findings = check(process.cwd());
  for (const { kind, file, line, rule, message } of findings)
    console.log(`${file}:${line} ${kind} [${rule}] ${message}`);
  const breaches = findings.filter(({ kind }) => kind === 'breach').length;
  console.log(breaches === 0 ? 'The rules of the house hold.' : `Breaches: ${breaches}`);
  process.exitCode = breaches === 0 ? 0 : 1;
}
