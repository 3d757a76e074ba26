import type { Failure } from './failure.ts'

/** An answer is a value or a failure; what else can happen is a bug and is thrown. */
export type Result<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: Failure }

export function succeed<Value>(value: Value): { readonly ok: true; readonly value: Value } {
  return { ok: true, value }
}

export function fail(failure: Failure): { readonly ok: false; readonly failure: Failure } {
  return { ok: false, failure }
}
