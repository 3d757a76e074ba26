import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { BYTES_POLICY, NOTHING_POLICY, SCREEN_POLICY } from '../../../src-main/electron/app-address.ts'
import { sendScreen } from '../../../src-main/headless/static-files.ts'

const directives = (policy: string): string[] => policy.split('; ').toSorted()

async function policyOfHeadlessHost(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'fundus-courier-policy-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'index.html'), '<!doctype html>')
  const server: Server = createServer((_request, response) => void sendScreen(response, folder, '/'))
  onTestFinished(() => void server.close())
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening))
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  return answer.headers.get('content-security-policy') ?? ''
}

it('lets the screens run and load what is their own, and frame nothing but what they write themselves', () => {
  expect(directives(SCREEN_POLICY)).toEqual([
    "base-uri 'none'",
    "connect-src 'self'",
    "default-src 'none'",
    "font-src 'self' data:",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "frame-src 'none'",
    "img-src 'self' blob: data:",
    "script-src 'self'",
    // The component library writes its theme into a style element.
    "style-src 'self' 'unsafe-inline'",
    "worker-src 'self'",
  ])
})

it('is the same in the browser before the headless host', async () => {
  expect(directives(await policyOfHeadlessHost())).toEqual(directives(SCREEN_POLICY))
})

it('leaves a report nothing, and an answer that is no page even less', () => {
  expect(directives(BYTES_POLICY)).toEqual([
    "default-src 'none'",
    "frame-ancestors 'none'",
    'img-src data:',
    'sandbox',
    "style-src 'unsafe-inline'",
  ])
  expect(directives(NOTHING_POLICY)).toEqual(["default-src 'none'", "frame-ancestors 'none'"])
})
