import { readdir } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { messageOf, type Tool, ToolwrightError } from '../core/index.ts';
import { checkTool } from './check-tool.ts';
import { collectExports } from './collect-tools.ts';

/** Something in a folder of tools that could not be used; the rest is loaded all the same. */
export interface LoadDiagnostic {
  readonly file: string;
  readonly message: string;
}

export interface LoadedTools {
  /** In the order of their files' names. */
  readonly tools: readonly Tool[];
  readonly diagnostics: readonly LoadDiagnostic[];
}

export type ImportFile = (file: string) => Promise<unknown>;

const importAsModule: ImportFile = (file) => import(pathToFileURL(file).href);

/**
 * Imports the modules of a folder (`*.js`, `*.mjs`, `*.ts`, and the `index` of each folder in it) and
 * collects their tools. A file that fails gives a diagnostic. `not_found` when there is no such folder.
 */
export async function loadTools(dir: string, importFile: ImportFile = importAsModule): Promise<LoadedTools> {
  const tools = new Set<Tool>();
  const diagnostics: LoadDiagnostic[] = [];
  for (const file of await moduleFiles(dir)) {
    try {
      const found = collectExports(await importFile(file));
      for (const message of found.incomplete) diagnostics.push({ file, message });
      for (const tool of found.tools) {
        checkTool(tool);
        tools.add(tool);
      }
    } catch (error) {
      diagnostics.push({ file, message: explain(file, error) });
    }
  }
  return { tools: [...tools], diagnostics };
}

async function moduleFiles(dir: string): Promise<string[]> {
  const files: string[] = [];
  for (const entry of await list(dir)) {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) {
      const index = (await list(path)).map((inner) => inner.name).filter((name) => stemOf(name) === 'index');
      files.push(...preferred(index.filter(isModule)).map((name) => join(path, name)));
    } else if (isModule(entry.name)) files.push(path);
  }
  return preferred(files).sort();
}

async function list(dir: string) {
  try {
    return await readdir(dir, { withFileTypes: true });
  } catch (error) {
    throw new ToolwrightError('not_found', `the folder of tools ${dir} cannot be read: ${messageOf(error)}`, {
      hint: 'Name a folder that exists.',
      cause: error,
    });
  }
}

const isModule = (name: string) => /\.(m?js|ts)$/.test(name) && !/\.(d|test|spec)\.(m?js|ts)$/.test(name);
const stemOf = (path: string) => path.slice(0, path.length - extname(path).length);

/** Of files that differ in their ending only, the compiled one. */
function preferred(paths: readonly string[]): string[] {
  return paths.filter((path) => extname(path) !== '.ts' || !paths.some((other) => isCompiled(other, path)));
}

const isCompiled = (other: string, path: string) => extname(other) !== '.ts' && stemOf(other) === stemOf(path);

function explain(file: string, error: unknown): string {
  const message = messageOf(error);
  const isUnknownEnding = extname(file) === '.ts' && /unknown file extension/i.test(message);
  return isUnknownEnding ? 'this Node.js does not read TypeScript; compile the file to .js' : message;
}
