/** What the administrator's guide says is what the program does. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readCommandLine } from '../../../src-main/electron/command-line.ts'
import { chooseDataFolder, policyPath } from '../../../src-main/electron/machine.ts'
import { openHeartbeat } from '../../../src-main/station/heartbeat.ts'
import { parseConfig, parsePolicy, unknownKeys } from '../../../src-main/station/settings/managed-files.ts'
import { enrolmentSchema, openSettingsStore } from '../../../src-main/station/settings/settings.ts'
import { createRecordingLogger } from '../../tools/recording-logger.ts'
import { ManualClock } from '../../tools/manual-clock.ts'
import { createMemorySecrets } from '../../tools/memory-secrets.ts'
import { temporaryFolder } from '../../tools/temporary-folder.ts'

const GUIDE = readFileSync(new URL('../../../docs/administrator-guide.md', import.meta.url), 'utf8')

/** The examples with what each is said to be. */
const EXAMPLES = [...GUIDE.matchAll(/<!-- (\w+) -->\n```json\n(.*?)\n```/gs)].map(
  ([, kind = '', text = '']) => ({ kind, text }),
)
const examplesOf = (kind: string) => EXAMPLES.filter((one) => one.kind === kind)

it('says of each example what it is, and of each kind there is one', () => {
  expect(GUIDE.match(/```json/g)).toHaveLength(EXAMPLES.length)
  expect(new Set(EXAMPLES.map(({ kind }) => kind))).toEqual(
    new Set(['policy', 'enrolment', 'configuration', 'heartbeat']),
  )
})

describe('its example', () => {
  it.each(examplesOf('policy'))('of a policy counts, together with the enrolment', async ({ text }) => {
    const policy = parsePolicy(JSON.parse(text))
    expect(policy.unknownNames).toEqual([])
    const store = await openSettingsStore({
      dataFolder: temporaryFolder(),
      config: null,
      policy,
      secrets: createMemorySecrets(),
      logger: createRecordingLogger(),
    })
    const enrolment = enrolmentSchema.parse(JSON.parse(examplesOf('enrolment')[0]?.text ?? ''))
    expect(await store.enrol(enrolment)).toBe('taken')
    expect(store.current()).toMatchObject({
      service: { baseUrl: 'https://service.example/api', clientId: 'camera-3' },
      centerId: '101',
      desktop: { startAtLogin: 'on' },
    })
  })

  it.each(examplesOf('enrolment'))('of an enrolment says nothing in vain', ({ text }) => {
    const content: unknown = JSON.parse(text)
    expect(unknownKeys(content, enrolmentSchema.parse(content))).toEqual([])
  })

  it.each(examplesOf('configuration'))('of a configuration file says nothing in vain', ({ text }) => {
    const { unknownNames, enforced } = parseConfig(JSON.parse(text))
    expect([unknownNames, Object.keys(enforced).toSorted()]).toEqual([[], ['folders', 'service']])
  })

  it.each(examplesOf('heartbeat'))('of a heartbeat has the names of a real one', async ({ text }) => {
    const dataFolder = temporaryFolder()
    const heartbeat = openHeartbeat({
      dataFolder,
      ports: {
        clock: new ManualClock(),
        logger: createRecordingLogger(),
        host: 'electron',
        version: '1.4.0',
      },
      mode: () => ({ kind: 'paused', why: 'signedOut', until: null }),
      work: () => ({ needPerson: 3, waiting: 0, offers: 1 }),
      disk: Promise.resolve('encrypted'),
      wakeUp: () => undefined,
    })
    const path = join(dataFolder, 'heartbeat.json')
    await expect.poll(() => Object.keys(read(path))).toEqual(Object.keys(JSON.parse(text) as object))
    await heartbeat.close()
    expect(read(path)).toMatchObject({ mode: 'stopped' })
  })
})

function read(path: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>
  } catch {
    return {}
  }
}

it('names every option of the command line, and no other', () => {
  const rows = [...GUIDE.matchAll(/^\| `(--[^`]+)` \| (.+) \|$/gm)].map(([, option = '']) => option)
  expect(Object.values(readCommandLine(rows)).filter((value) => value === null || value === false)).toEqual(
    [],
  )
  expect(rows).toHaveLength(Object.keys(readCommandLine([])).length)
})

it('names the folders that the program searches', () => {
  const facts = { userData: '', canWrite: () => true }
  for (const platform of ['linux', 'darwin', 'win32'] as const) {
    const programData = platform === 'win32' ? 'C:/ProgramData' : undefined
    const dataFolder = chooseDataFolder({ ...facts, platform, programData })
    for (const path of [policyPath(platform, programData), dataFolder])
      expect(GUIDE).toContain(platform === 'win32' ? path?.replaceAll('/', '\\') : path)
  }
})

it('says of the installer what the installer does', () => {
  const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')
  const script = read('assets/installer.nsh')
  const builder = read('electron-builder.yml')
  expect(script).toContain('/OPERATORS=')
  expect(builder).toContain('artifactName: fundus-courier-setup-${version}-${arch}.${ext}')
  expect(builder).toContain('artifactName: fundus-courier-${version}-${os}-${arch}.${ext}')
  expect(builder).toContain('deleteAppDataOnUninstall: false')
  expect(read('assets/after-install.tpl')).toContain('-g fundus-courier')
  const rights = '"*S-1-5-18:F" "*S-1-5-32-544:F" "*S-1-5-32-545:R"'
  for (const text of [script, GUIDE]) expect(text).toContain(rights)
})
