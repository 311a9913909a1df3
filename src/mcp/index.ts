export { type ServedHttp, type ServeHttpOptions, serveHouseOnHttp } from './serve/serve-http.ts';
export type { ServeOptions } from './serve/serve-options.ts';
export { type ServedDoor, type ServeStdioOptions, serveHouseOnStdio } from './serve/serve-stdio.ts';
export type * from './serve/served-house.ts';
