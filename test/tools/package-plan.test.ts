import { describe, expect, it } from 'vitest'
import { builderOptions, emptyNames, isSigned } from '../../tools/builder-options.ts'
import { planPackages, readWishes } from '../../tools/package-plan.ts'
import { packageTroubleOf } from '../../tools/package-trouble.ts'

describe('what is to be packed', () => {
  it.each([
    ['', 'win32', { kind: 'build', systems: ['win'], form: 'installers' }],
    ['--dir', 'linux', { kind: 'build', systems: ['linux'], form: 'folder' }],
    ['--mac --win', 'linux', { kind: 'build', systems: ['win', 'mac'], form: 'installers' }],
    ['--windows', 'linux', { kind: 'unknown', parameter: '--windows' }],
    ['', 'freebsd', { kind: 'build', systems: [], form: 'installers' }],
  ] as const)('is read from %j on %s: %j', (line, platform, wishes) => {
    expect(readWishes(line.split(' ').filter(Boolean), platform)).toEqual(wishes)
  })

  const onLinux = {
    platform: 'linux',
    arch: 'x64',
    isInstalled: (name: string) => name === '@img/sharp-wasm32',
  } as const

  it('is built on the system of its native files, and says of the rest why not and what to do', () => {
    const plan = planPackages({ ...onLinux, systems: ['linux', 'win', 'mac'], form: 'installers' })
    expect(plan.map(({ title, obstacle }) => `${title}: ${obstacle ?? 'yes'}`)).toEqual([
      'Linux: deb: yes',
      'Windows: nsis: what decodes images on Windows is not installed here (@img/sharp-win32-x64); run npm ci && npm run package on Windows',
      'macOS: dmg: what builds and signs a macOS app runs on macOS alone; run npm run package there',
      'macOS: zip: what builds and signs a macOS app runs on macOS alone; run npm run package there',
    ])
  })

  it('ends, on each system, with what stations update themselves by: each target writes their list again', () => {
    const plan = planPackages({ ...onLinux, systems: ['linux', 'win', 'mac'], form: 'installers' })
    const last = new Map(plan.map(({ system, target }) => [system, target]))
    expect(Object.fromEntries(last)).toEqual({ linux: 'deb', win: 'nsis', mac: 'zip' })
  })
})

describe('what differs from build to build', () => {
  const optionsOf = (environment: Readonly<Record<string, string>>) =>
    builderOptions({ environment, outboxSchema: 4 })

  it('names the outbox that this version knows, and no address unless one is set', () => {
    expect(optionsOf({})).toEqual({
      releaseInfo: { vendor: { outboxSchema: 4 } },
      extraMetadata: { updateFeed: null },
    })
  })

  it('is the address of the updates, which must be https', () => {
    const feed = 'https://updates.clinic.example/'
    expect(optionsOf({ FUNDUS_COURIER_UPDATES: feed })).toMatchObject({
      extraMetadata: { updateFeed: feed },
      publish: { provider: 'generic', url: feed },
    })
    for (const wrong of ['http://updates.clinic.example/', 'updates.clinic.example'])
      expect(() => optionsOf({ FUNDUS_COURIER_UPDATES: wrong })).toThrow('must be an https address')
  })

  it('is Azure Trusted Signing, whole or not at all', () => {
    const azure = {
      AZURE_SIGN_PUBLISHER: 'CN=Clinic',
      AZURE_SIGN_ENDPOINT: 'https://weu.codesigning.azure.net',
      AZURE_SIGN_ACCOUNT: 'account',
      AZURE_SIGN_PROFILE: 'profile',
    }
    const azureSignOptions = {
      publisherName: azure.AZURE_SIGN_PUBLISHER,
      endpoint: azure.AZURE_SIGN_ENDPOINT,
      codeSigningAccountName: azure.AZURE_SIGN_ACCOUNT,
      certificateProfileName: azure.AZURE_SIGN_PROFILE,
    }
    expect(optionsOf(azure)).toMatchObject({ win: { azureSignOptions } })
    expect(() => optionsOf({ AZURE_SIGN_ACCOUNT: 'account' })).toThrow(
      'AZURE_SIGN_PUBLISHER, AZURE_SIGN_ENDPOINT, AZURE_SIGN_PROFILE must be set, too',
    )
    const signed = [azure, { CSC_LINK: 'c' }, {}].map((environment) => isSigned('win', environment))
    expect(signed).toEqual([true, true, false])
  })
})

it('what a workflow without secrets sets counts as not set', () => {
  const environment = { CSC_LINK: '', WIN_CSC_LINK: 'c', AZURE_TENANT_ID: '', PATH: '' }
  expect(emptyNames(environment)).toEqual(['CSC_LINK', 'AZURE_TENANT_ID'])
})

const offline = new Error('getaddrinfo ENOTFOUND github.com')
it.each([
  [offline, false, 'runtime', /runtime could not be downloaded .*ENOTFOUND github.com.*ELECTRON_MIRROR/],
  [offline, true, 'tool', /tool that makes it could not be downloaded .*ELECTRON_BUILDER_BINARIES_MIRROR/],
  [new Error('\nicon is too small\n at a'), true, 'other', /^icon is too small$/],
  ['thrown', false, 'other', /^thrown$/],
])(
  'what stood in the way of a package: %s, with the runtime there: %s',
  (error, hasRuntime, kind, because) => {
    const expected: unknown = { kind, because: expect.stringMatching(because) }
    expect(packageTroubleOf(error, hasRuntime)).toEqual(expected)
  },
)
