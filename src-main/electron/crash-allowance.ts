import type { Clock } from '../station/ports.ts'

/** So many of something within so long pass; one more does not, and is not counted. */
export function createAllowance(
  clock: Pick<Clock, 'monotonicMs'>,
  { most, withinMs }: { readonly most: number; readonly withinMs: number },
): () => boolean {
  let passedAt: number[] = []
  return () => {
    const now = clock.monotonicMs()
    passedAt = passedAt.filter((at) => now - at < withinMs)
    if (passedAt.length >= most) return false
    passedAt.push(now)
    return true
  }
}
