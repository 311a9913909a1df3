export { fileEdit } from './file-edit/file-edit.ts';
export { fileWrite } from './file-write/file-write.ts';
export { readFile } from './read-file/read-file.ts';
