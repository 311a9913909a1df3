import { fileURLToPath } from 'node:url';
import { messageOf, ToolwrightError } from '../core/index.ts';

const MOST_PATH_BYTES = 4_095;
const MOST_NAME_BYTES = 255;

/** A path as a model may write it, made one that the host may be asked about; odd ones are refused with the reason. */
export function parsePathArgument(raw: unknown): string {
  if (typeof raw !== 'string') throw invalid(`A path must be a text, not ${raw === null ? 'null' : typeof raw}.`);
  if (raw.trim() === '') throw invalid('The path is empty.', 'Give a file or folder; "." is the working folder.');
  const path = raw.startsWith('file://') ? fromFileUrl(raw) : raw;
  if (path.includes('\0')) throw invalid('The path holds a NUL character, which no file name can hold.');
  if (/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(path)) {
    throw invalid('The path holds half of a character (a lone surrogate), which no file name can hold.');
  }
  if (path === '~' || path.startsWith('~/')) {
    throw invalid(`${path} starts with ~, which is not expanded here.`, 'Write the absolute path of the home folder.');
  }
  if (Buffer.byteLength(path) > MOST_PATH_BYTES) {
    throw invalid(`The path is too long: ${Buffer.byteLength(path)} bytes, at most ${MOST_PATH_BYTES} are possible.`);
  }
  const long = path.split('/').find((name) => Buffer.byteLength(name) > MOST_NAME_BYTES);
  if (long !== undefined) {
    throw invalid(`The name ${long.slice(0, 40)}… is too long: at most ${MOST_NAME_BYTES} bytes are possible.`);
  }
  return path;
}

function fromFileUrl(url: string): string {
  try {
    return fileURLToPath(url);
  } catch (error) {
    throw invalid(`${url.slice(0, 200)} is not a file URL of this machine: ${messageOf(error)}`, 'Write a plain path.');
  }
}

function invalid(message: string, hint = 'Give a path relative to the working folder, or an absolute one.') {
  return new ToolwrightError('invalid_input', message, { hint });
}
