/** What a part offers to the composition root: repeated events, and an end. A stack closes parts in reverse. */

/** A repeated event. A part offers `subscribe` under a name of its own, such as `onChange`. */
export type Signal<Facts extends readonly unknown[] = []> = {
  /** Listeners are called in the order of subscribing, all of them; `emit` throws the first error afterwards. */
  readonly subscribe: (listener: (...facts: Facts) => void) => void
  readonly emit: (...facts: Facts) => void
}

export function createSignal<Facts extends readonly unknown[] = []>(): Signal<Facts> {
  const listeners: ((...facts: Facts) => void)[] = []
  return {
    subscribe: (listener) => void listeners.push(listener),
    emit: (...facts) => runAll(listeners.map((listener) => () => listener(...facts))),
  }
}

/** Runs all of them in order, whatever one throws; then throws the first error. */
export function runAll(acts: readonly (() => void)[]): void {
  const errors: unknown[] = []
  for (const act of acts) {
    try {
      act()
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors[0]
}

export type Closable = { close(): Promise<void> | void }

/** For `AsyncDisposableStack.adopt`. */
export const close = (part: Closable): Promise<void> | void => part.close()

/** Closes all given parts at once: an end must not take as long as their sum. Rejects if one of them does. */
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
