/** One line of a check: a `breach` fails it, a `warning` is only told. */
export interface Finding {
  readonly kind: 'breach' | 'warning';
  readonly file: string;
  readonly line: number;
  readonly rule: string;
  readonly message: string;
}

export type Report = (file: string, line: number, rule: string, message: string, kind?: Finding['kind']) => void;
