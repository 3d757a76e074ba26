/** Why the client itself ended a request. */
export type StopReason = 'cancelled' | 'timeOver' | 'stalled' | 'notConnected'

/** Thrown where the client ends a request of its own accord; undici's own aborts have no telling code. */
export class StoppedError extends Error {
  override readonly name = 'StoppedError'
  readonly reason: StopReason

  constructor(reason: StopReason) {
    super(`the request was ended: ${reason}`)
    this.reason = reason
  }
}

/** Thrown where a body is shorter or longer than it was announced, or cannot be read: never the network's fault. */
export class BodyError extends Error {
  override readonly name = 'BodyError'
}
