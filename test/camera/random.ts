/** Numbers in [0, 1) that a seed decides: the same seed gives the same picture on every machine. */
export type Random = () => number

/** Mulberry32, a public-domain generator: small, quick, and good enough for pictures. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export function between(random: Random, low: number, high: number): number {
  return low + (high - low) * random()
}

export function pick<Value>(random: Random, values: readonly [Value, ...Value[]]): Value {
  return values[Math.floor(random() * values.length)] ?? values[0]
}
