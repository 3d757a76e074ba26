import { describe, expect, it } from 'vitest'
import { stripCredentials } from '../../../../src-main/station/calls/oversight.ts'
import { systemName } from '../../../../src-main/station/ports.ts'
import { partsWith } from './parts-with.ts'

describe('station.about', () => {
  it('tells what the station is and runs on', async () => {
    const test = await partsWith()
    expect(await test.call('station.about', {})).toEqual({
      ok: true,
      value: {
        version: '0.0.0',
        host: 'headless',
        stationId: 'station-1',
        system: 'Test 1',
        runtime: 'Node 24',
        dataFolder: test.folder,
        secretsKept: 'safe',
        proxy: null,
        startAtLogin: null,
      },
    })
  })

  it('tells the proxy of the service that is set, without its sign-in', async () => {
    const asked: string[] = []
    const proxies = {
      proxyFor: (url: string) => {
        asked.push(url)
        return Promise.resolve('http://clinic:hush@proxy.example:3128')
      },
    }
    const service = { clientId: 'clinic', callbackUrl: null, referenceField: null }
    const away = await partsWith({ service: { ...service, baseUrl: 'https://a.example/api' } }, { proxies })
    expect(await away.call('station.about', {})).toMatchObject({
      value: { proxy: 'http://proxy.example:3128' },
    })
    const near = await partsWith({ service: { ...service, baseUrl: 'http://127.0.0.1:1' } }, { proxies })
    expect(await near.call('station.about', {})).toMatchObject({ value: { proxy: null } })
    expect(asked).toEqual(['https://a.example/api'])
  })

  it('tells what the system says of the start at login', async () => {
    const refused = await partsWith({}, { startAtLogin: () => 'refused' })
    expect(await refused.call('station.about', {})).toMatchObject({ value: { startAtLogin: 'refused' } })
  })
})

it.each([
  ['http://proxy.example:3128', 'http://proxy.example:3128'],
  ['http://user:p@ss@proxy.example:3128/', 'http://proxy.example:3128'],
  ['user:pass@proxy.example:80', 'proxy.example:80'],
  ['https://[fd00::1]:8080/?token=x', 'https://[fd00::1]:8080'],
  ['http://user:p/w@proxy.example:3128', 'http://proxy.example:3128'],
])('the sign-in of %s is left out', (proxy, shown) => {
  expect(stripCredentials(proxy)).toBe(shown)
})

it.each([
  ['win32', 'Windows 11 Pro', '10.0.26100', 'Windows 11 Pro 10.0.26100'],
  ['darwin', 'Darwin Kernel Version 24.1.0: Thu', '24.1.0', 'macOS (Darwin 24.1.0)'],
  ['linux', '#1 SMP PREEMPT', '6.12.4', 'Linux 6.12.4'],
  ['freebsd', 'FreeBSD 14', '14.1', 'freebsd 14.1'],
] as const)('%s has a name that people know', (platform, version, release, name) => {
  expect(systemName({ platform, version, release })).toBe(name)
})
