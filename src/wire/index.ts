export * from './encode-event.ts';
export * from './events.ts';
export * from './from-wire.ts';
export * from './message.ts';
export * from './timeline.ts';
export * from './timeline-item.ts';
export * from './to-wire.ts';
