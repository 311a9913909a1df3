import { z } from 'zod';

/** An option as the model writes it: the value alone, or with what the person reads. */
export const choice = z.union([
  z.string().min(1).max(500),
  z.strictObject({ value: z.string().min(1).max(500), label: z.string().min(1).max(500).optional() }),
]);
export type Choice = z.infer<typeof choice>;

export const choices = z
  .array(choice)
  .min(2)
  .max(50)
  .refine((list) => new Set(list.map(choiceValue)).size === list.length, {
    message: 'Two options have the same value.',
  });

export function choiceValue(one: Choice): string {
  return typeof one === 'string' ? one : one.value;
}

export function toOption(one: Choice): { value: string; label?: string } {
  if (typeof one === 'string') return { value: one };
  return one.label === undefined ? { value: one.value } : { value: one.value, label: one.label };
}
