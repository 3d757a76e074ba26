/** The check of certificates is never off: not by a setting, not by the environment, not by a word in the code. */
import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { settingsSchema } from '../../../../src-shared/settings.ts'
import { openClient } from './client-with.ts'
import { makeSelfSigned, openProxy, openSecureService } from './secure-servers.ts'

const VARIABLE = 'NODE_TLS_REJECT_UNAUTHORIZED'

function withoutChecksByEnvironment(): void {
  const before = process.env[VARIABLE]
  process.env[VARIABLE] = '0'
  onTestFinished(() => {
    if (before === undefined) delete process.env[VARIABLE]
    else process.env[VARIABLE] = before
  })
}

describe('an environment that switches the checks of Node off', () => {
  it('does not do so on the direct way', async () => {
    withoutChecksByEnvironment()
    const service = await openSecureService(makeSelfSigned())
    const client = openClient({ baseUrl: `https://127.0.0.1:${service.port}` })
    const NOT_TRUSTED = { ok: false, failure: { kind: 'notTrusted' } }
    expect(await client.authorise({ isFresh: false })).toMatchObject(NOT_TRUSTED)
    expect(service.versions).toEqual([])
  })

  it('does not do so in a tunnel', async () => {
    withoutChecksByEnvironment()
    const service = await openSecureService(makeSelfSigned())
    const { proxies, heads } = await openProxy('200 OK')
    const client = openClient({ baseUrl: `https://127.0.0.1:${service.port}`, proxies })
    expect(await client.authorise({ isFresh: false })).toMatchObject({ ok: false })
    expect(heads).toHaveLength(1)
    expect(service.versions).toEqual([])
  })
})

/** What would switch a check off, in Node and in Electron. */
const SWITCHES = [
  /rejectUnauthorized\s*:(?!\s*true\b)/,
  /NODE_TLS_REJECT_UNAUTHORIZED/,
  /ignore-certificate-errors/,
  /allow-insecure-localhost/,
  /setCertificateVerifyProc/,
  /['"]certificate-error['"]/,
  /checkServerIdentity/,
]

it('no source of the product says a word that switches a check off', () => {
  const files = globSync('src-*/**/*.{ts,tsx}', { cwd: new URL('../../../..', import.meta.url).pathname })
  expect(files.length).toBeGreaterThan(300)
  const found = files.flatMap((file) => {
    const code = readFileSync(new URL(`../../../../${file}`, import.meta.url), 'utf8')
    return SWITCHES.filter((pattern) => pattern.test(code)).map((pattern) => `${file}: ${String(pattern)}`)
  })
  expect(found).toEqual([])
})

it('no setting is about trusting more than the computer does', () => {
  const names = JSON.stringify(z.toJSONSchema(settingsSchema, { io: 'input', unrepresentable: 'any' }))
  expect(names).not.toMatch(/"[^"]*(?:insecure|verify|trust|certificate|unauthorized)[^"]*":/i)
})
