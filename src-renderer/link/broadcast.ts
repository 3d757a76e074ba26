/** Tells whoever listens; `listen` answers with how to stop. */
export type Broadcast<Message> = {
  tell(message: Message): void
  readonly listen: (listener: (message: Message) => void) => () => void
}

export function createBroadcast<Message>(): Broadcast<Message> {
  const listeners = new Set<(message: Message) => void>()
  return {
    tell(message) {
      for (const listener of listeners) listener(message)
    },
    listen(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}
