/** The way of a process back to the station that started it: the channel of a Node child, or Electron's port. */

type ParentProcess = {
  /** Structured clones, both ways. */
  send(message: unknown): void
  onMessage(listener: (message: unknown) => void): void
}

/** `process.parentPort` of Electron's utility process. */
type UtilityPort = {
  postMessage(message: unknown): void
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): void
}

/** To be called once. The process ends with its station, however that ends, and by a defect of its own. */
export function connectToParent(): ParentProcess {
  process.on('unhandledRejection', () => process.exit(1))
  const { parentPort } = process as NodeJS.Process & { readonly parentPort?: UtilityPort }
  if (parentPort)
    return {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a process has no origin
      send: (message) => parentPort.postMessage(message),
      onMessage: (listener) => parentPort.on('message', ({ data }) => listener(data)),
    }
  if (process.send === undefined) throw new Error('This runs in a process of the station only.')
  process.once('disconnect', () => process.exit())
  return {
    send: (message) => void process.send?.(message),
    onMessage: (listener) => void process.on('message', listener),
  }
}
