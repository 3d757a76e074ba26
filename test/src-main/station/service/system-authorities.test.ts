/** A clinic's own authority is known to the operating system only. On Linux a test can say what that knows. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import tls from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeSelfSigned, openProxy, openSecureService, postTo } from './secure-servers.ts'
import { DIRECT, openClient } from './client-with.ts'

const certificate = makeSelfSigned()
const folder = await mkdtemp(join(tmpdir(), 'courier-authority-'))
const before = process.env['SSL_CERT_FILE']

describe.runIf(process.platform === 'linux')('an authority that only the operating system knows', () => {
  beforeAll(async () => {
    await writeFile(join(folder, 'authority.pem'), certificate.cert)
    // Read by Node at the first look at the system's list, which no other test of this file's process has taken.
    process.env['SSL_CERT_FILE'] = join(folder, 'authority.pem')
    expect(tls.getCACertificates('default')).not.toContain(certificate.cert)
  })

  afterAll(async () => {
    if (before === undefined) delete process.env['SSL_CERT_FILE']
    else process.env['SSL_CERT_FILE'] = before
    await rm(folder, { recursive: true })
  })

  it.each(['on the direct way', 'through a tunnel'])('is trusted %s', async (way) => {
    const service = await openSecureService(certificate)
    const proxies = way === 'through a tunnel' ? (await openProxy('200 OK')).proxies : DIRECT
    const client = openClient({ baseUrl: `https://127.0.0.1:${service.port}`, proxies })
    expect(await postTo(client)).toMatchObject({ caseId: '55' })
    expect(await client.getCase('55')).toMatchObject({ ok: true })
  })
})
