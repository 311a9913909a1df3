import type { Report } from './finding.ts';

const BAD_NAME = /(^|-)(utils?|helpers?)$|^common$|^manager\d+$/;
const KEBAB = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const LIMITS = { hard: 400, soft: 200, median: 100, core: 1_500, rooms: 20 };

const lineCount = (text: string) => text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
const isRoomFile = (file: string) => /^src\/[^/]+\/.*(?<!\.test)\.tsx?$/.test(file);

/** Names and sizes of all code files: per file, per room, of `core`, and how many rooms there are. */
export function checkBudgets(texts: ReadonlyMap<string, string>, report: Report): void {
  const rooms = new Map<string, number[]>();
  for (const [file, text] of texts) {
    checkName(file, report);
    const lines = lineCount(text);
    if (lines > LIMITS.hard) report(file, lines, 'size', `${lines} lines, at most ${LIMITS.hard}`);
    else if (lines > LIMITS.soft) report(file, lines, 'size', `${lines} lines, better under ${LIMITS.soft}`, 'warning');
    if (!isRoomFile(file)) continue;
    const room = file.split('/', 2).join('/');
    const counts = rooms.get(room) ?? [];
    rooms.set(room, counts);
    counts.push(lines);
  }
  for (const [room, counts] of rooms) checkRoom(room, counts, report);
  if (rooms.size > LIMITS.rooms) report('src', 1, 'rooms', `${rooms.size} rooms, at most ${LIMITS.rooms}`);
}

function checkRoom(room: string, counts: number[], report: Report): void {
  counts.sort((a, b) => a - b);
  const median = counts[Math.floor((counts.length - 1) / 2)] ?? 0;
  const sum = counts.reduce((total, count) => total + count, 0);
  if (median > LIMITS.median) report(room, 1, 'size', `median ${median} lines, at most ${LIMITS.median}`);
  if (room === 'src/core' && sum > LIMITS.core) report(room, 1, 'size', `${sum} lines, at most ${LIMITS.core}`);
}

function checkName(file: string, report: Report): void {
  for (const segment of file.split('/')) {
    const stem = segment.replace(/(\.(test|d|config))?\.tsx?$/, '');
    if (BAD_NAME.test(stem)) report(file, 1, 'names', `"${stem}" says nothing: name it after what it does`);
    else if (!KEBAB.test(stem)) report(file, 1, 'names', `"${stem}" is not kebab-case`);
  }
}
