import { IncomingMessage } from 'node:http'

/**
 * A request that counts the bytes of its body as they arrive.
 *
 * Fastify's multipart reads the raw request itself, so there is no stream to put a counter between; but Node's
 * HTTP parser hands each piece of a body to `push`, and `http.createServer` takes this class in place of its own.
 */
export class CountingRequest extends IncomingMessage {
  arrivedBytes = 0
  onBytes: ((arrivedBytes: number) => void) | null = null

  override push(chunk: unknown, encoding?: BufferEncoding): boolean {
    if (chunk instanceof Uint8Array) {
      this.arrivedBytes += chunk.byteLength
      this.onBytes?.(this.arrivedBytes)
    }
    return super.push(chunk, encoding)
  }
}
