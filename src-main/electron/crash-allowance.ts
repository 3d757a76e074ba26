import type { Clock } from '../station/ports.ts'

/** So many of something within so long pass; one more does not, and is not counted. */
export function createRateLimit(
  clock: Pick<Clock, 'monotonicMs'>,
  { most: limit, withinMs }: { readonly most: number; readonly withinMs: number },
): () => boolean {
  let allowedAt: number[] = []
  return () => {
    const now = clock.monotonicMs()
    allowedAt = allowedAt.filter((at) => now - at < withinMs)
    if (allowedAt.length >= limit) return false
    allowedAt.push(now)
    return true
  }
}
