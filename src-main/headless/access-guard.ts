/**
 * Who may talk to the headless host. Pure.
 *
 * A browser on this machine runs pages of strangers, and they can reach loopback: so the Host header must be ours
 * (DNS rebinding), the Origin, where there is one, too (cross-site requests), and the token must be known.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

export type AccessGuard = {
  /** Is this request addressed to us and not sent by a stranger's page? */
  isOurs(headers: IncomingHttpHeaders): boolean
  hasToken(token: string | null): boolean
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()

/** `authorities` are the names of this host with its port, such as `127.0.0.1:4100`. */
export function createAccessGuard(authorities: readonly string[], token: string): AccessGuard {
  const expected = sha256(token)
  return {
    isOurs: (headers) => {
      if (!authorities.includes(headers.host ?? '')) return false
      return (
        headers.origin === undefined ||
        authorities.some((authority) => headers.origin === `http://${authority}`)
      )
    },
    // Digests have one length, so the comparison takes the same time whatever was sent.
    hasToken: (candidate) => candidate !== null && timingSafeEqual(sha256(candidate), expected),
  }
}

export function bearerToken(headers: IncomingHttpHeaders): string | null {
  return /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? null
}

/** A browser's WebSocket cannot carry headers, so its token travels as a subprotocol: `token.<token>`. */
export function subprotocolToken(headers: IncomingHttpHeaders): string | null {
  const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map((one) => one.trim())
  return offered.find((one) => one.startsWith('token.'))?.slice('token.'.length) ?? null
}
