/** The check of certificates is never off: not by a setting, not by the environment, not by a word in the code. */
import { globSync, readFileSync } from 'node:fs'
import { expect, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import { settingsSchema } from '../../../../src-shared/settings.ts'
import { openClient } from './client-with.ts'
import { makeSelfSigned, openProxy, openSecureService } from './secure-servers.ts'

const VARIABLE = 'NODE_TLS_REJECT_UNAUTHORIZED'

it.each(['on the direct way', 'in a tunnel'])(
  'an environment that switches the checks of Node off does not do so %s',
  async (way) => {
    vi.stubEnv(VARIABLE, '0')
    onTestFinished(() => void vi.unstubAllEnvs())
    const service = await openSecureService(makeSelfSigned())
    const tunnel = way === 'in a tunnel' ? await openProxy('200 OK') : null
    const baseUrl = `https://127.0.0.1:${service.port}`
    const client = openClient({ baseUrl, ...(tunnel && { proxies: tunnel.proxies }) })
    expect(await client.authorise({ isFresh: false })).toMatchObject({
      ok: false,
      failure: { kind: 'notTrusted' },
    })
    expect([service.versions, tunnel?.heads.length ?? 1]).toEqual([[], 1])
  },
)

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
  expect(files.length).toBeGreaterThan(250)
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
