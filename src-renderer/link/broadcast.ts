/** Tells whoever listens; `listen` answers with how to stop. */
export type Broadcast<Message> = {
  emit(message: Message): void
  readonly subscribe: (listener: (message: Message) => void) => () => void
}

export function createBroadcast<Message>(): Broadcast<Message> {
  const listeners = new Set<(message: Message) => void>()
  return {
    emit(message) {
      for (const listener of listeners) listener(message)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}
