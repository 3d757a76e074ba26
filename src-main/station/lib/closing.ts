/** What a composition root ends: a stack closes in reverse, and a group of its parts closes at the same time. */

export type Closable = { close(): Promise<void> | void }

/** For `AsyncDisposableStack.adopt`. */
export const close = (part: Closable): Promise<void> | void => part.close()

/**
 * Makes one step of the stack in which all parts that are given to the answer close at the same time: an end must not
 * take as long as the sum of them. The step ends when all have ended, and rejects if one of them does.
 */
export function closingTogether(stack: AsyncDisposableStack): <Part extends Closable>(part: Part) => Part {
  const parts: Closable[] = []
  stack.defer(async () => {
    const ends = await Promise.allSettled(parts.map(async (part) => part.close()))
    for (const end of ends) if (end.status === 'rejected') throw end.reason
  })
  return (part) => {
    parts.push(part)
    return part
  }
}
