const ADDRESS = /(?:\d+(?:~\d+)?|\$|\/(?:[^/\\\n]|\\.)*\/I?)/.source;
const RANGE = `(?:${ADDRESS}(?:\\s*,\\s*[+~]?${ADDRESS})?)?\\s*!?\\s*`;
const SUBSTITUTE = /([sy])([^\s\w\\])(?:(?!\2)[^\\\n]|\\.)*\2(?:(?!\2)[^\\\n]|\\.)*\2[gpIi0-9]*/.source;
const PART = new RegExp(`^${RANGE}(?:[pdqD=lnNgGhHxPF]\\d*|${SUBSTITUTE})\\s*$`);

/** Whether sed code only prints, deletes and replaces. What is not sure of a known form is not. */
export function isHarmlessSed(code: string): boolean {
  if (code.length > 2_000) return false;
  if (PART.test(code.trim())) return true;
  const parts = code.split(/[;\n]/).map((part) => part.trim());
  return parts.every((part) => part === '' || PART.test(part));
}

/** Whether awk code neither runs a command nor writes a file nor reads one by itself. */
export function isHarmlessAwk(code: string): boolean {
  if (/system|getline|@|\|(?!\|)/.test(code.replaceAll('||', ''))) return false;
  return !/print[^;}\n]*>/.test(code);
}
