export interface DecodedLine {
  readonly bytes: Buffer;
  readonly text: string;
}
