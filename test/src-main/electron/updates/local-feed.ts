/** A feed of updates on this machine, as a clinic's web server would serve the files that `npm run package` leaves. */
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export type LocalFeed = {
  readonly url: string
  /** Publishes a version; what is served may differ from what is announced. */
  publish(release: {
    readonly version: string
    readonly fileName: string
    readonly announced: string
    readonly served?: string
    readonly outboxSchema?: number
  }): void
  /** The paths that were asked for. */
  readonly asked: readonly string[]
}

export async function openLocalFeed(channelFile: string): Promise<LocalFeed> {
  const files = new Map<string, string>()
  const asked: string[] = []
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://feed').pathname
    asked.push(path)
    const file = files.get(path)
    response.writeHead(file === undefined ? 404 : 200, { 'content-length': file?.length ?? 0 })
    response.end(file)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    asked,
    publish: ({ version, fileName, announced, served = announced, outboxSchema }) => {
      const sha512 = createHash('sha512').update(announced).digest('base64')
      files.set(`/${fileName}`, served)
      files.set(
        `/${channelFile}`,
        [
          `version: ${version}`,
          'files:',
          `  - url: ${fileName}`,
          `    sha512: ${sha512}`,
          `    size: ${announced.length}`,
          `path: ${fileName}`,
          `sha512: ${sha512}`,
          ...(outboxSchema === undefined ? [] : ['vendor:', `  outboxSchema: ${outboxSchema}`]),
          "releaseDate: '2026-11-21T12:00:00.000Z'",
          '',
        ].join('\n'),
      )
    },
  }
}
