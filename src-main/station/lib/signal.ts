/** A repeated event. A part offers `subscribe` under a name of its own, such as `onChange`. */
export type Signal<Facts extends readonly unknown[] = []> = {
  /** Listeners are called in the order of subscribing. An error of one is thrown by `emit`. */
  readonly subscribe: (listener: (...facts: Facts) => void) => void
  /** Calls every listener. */
  readonly emit: (...facts: Facts) => void
}

export function createSignal<Facts extends readonly unknown[] = []>(): Signal<Facts> {
  const listeners: ((...facts: Facts) => void)[] = []
  return {
    subscribe: (listener) => void listeners.push(listener),
    emit: (...facts) => {
      for (const listener of listeners) listener(...facts)
    },
  }
}
