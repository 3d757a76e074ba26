import { open, type FileHandle } from 'node:fs/promises'

/** Few turns for an image of some megabytes, and little memory for many thumbnails at once. */
const CHUNK_BYTES = 256 * 1024

/**
 * The bytes of a file, for an answer that Chromium may drop at any moment, as it does while somebody scrolls. Node's own
 * `Readable.toWeb` may then throw where nobody can catch it (nodejs/node 64529), which would end the app. The file is
 * opened by the first reading, so that an answer nobody reads holds nothing, and closed by every end. A file that cannot
 * be read fails the reading.
 */
export function fileStream(path: string): ReadableStream<Uint8Array<ArrayBuffer>> {
  let opening: Promise<FileHandle> | null = null
  let isCancelled = false
  const close = async (): Promise<void> => {
    const file = await opening?.catch(() => null)
    // Waits for a reading that is under way. What cannot be closed was read all the same.
    await file?.close().catch(() => undefined)
  }
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        try {
          opening ??= open(path)
          const file = await opening
          if (isCancelled) return
          const chunk = new Uint8Array(CHUNK_BYTES)
          const { bytesRead } = await file.read(chunk)
          // Dropped meanwhile: nothing may be said to a stream that is closed.
          if (isCancelled) return
          if (bytesRead > 0) return controller.enqueue(chunk.subarray(0, bytesRead))
          await close()
          if (!isCancelled) controller.close()
        } catch (error) {
          await close()
          if (!isCancelled) controller.error(error)
        }
      },
      async cancel() {
        isCancelled = true
        await close()
      },
    },
    { highWaterMark: 0 },
  )
}
