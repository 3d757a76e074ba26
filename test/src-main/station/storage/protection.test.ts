/** Who else can read the data folder: its mode, and what the system answers of its disk. */
import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  closeToOthers,
  diskEncryptionOf,
  encryptionByBitLocker,
  encryptionByFileVault,
  encryptionOfDevice,
} from '../../../../src-main/station/storage/protection.ts'
import { createRecordingLogger } from '../../../tools/recording-logger.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'
import { started } from '../started.ts'

const modeOf = (path: string): number => statSync(path).mode & 0o777

describe.skipIf(process.platform === 'win32')('a data folder that was there before', () => {
  it.each([0o755, 0o777, 0o750, 0o710, 0o700])(
    'with the mode %o is closed to all other accounts',
    async (mode) => {
      const dataFolder = temporaryFolder()
      chmodSync(dataFolder, mode)
      const { answer } = await started({}, { dataFolder })
      expect(modeOf(dataFolder)).toBe(0o700)
      expect(await answer('station.about')).toMatchObject({ value: { protection: { folder: 'closed' } } })
    },
  )

  // Only root can be the one that opens it.
  it.runIf(process.getuid?.() === 0).each([0o2770, 0o2775])(
    'with the mode %o is of root and of a group, and stays so',
    (mode) => {
      const dataFolder = temporaryFolder()
      chmodSync(dataFolder, mode)
      expect(closeToOthers(dataFolder, createRecordingLogger())).toBe('closed')
      expect(statSync(dataFolder).mode & 0o7777).toBe(0o2770)
    },
  )

  it.each([
    ['takes a mode and stays as it is', () => undefined],
    [
      'takes no mode',
      () => {
        throw new Error('EPERM')
      },
    ],
  ])('on a volume that %s is open', (_how, setMode) => {
    const dataFolder = temporaryFolder()
    chmodSync(dataFolder, 0o777)
    const logger = createRecordingLogger()
    expect(closeToOthers(dataFolder, logger, setMode)).toBe('open')
    expect(logger.lines.map(({ message }) => message)).toEqual([
      'other accounts of this computer may read the data folder',
    ])
  })

  it.each([
    [0o755, 'open', ['other accounts of this computer may read the data folder']],
    // As the deb makes it: a group may, everyone may not.
    [0o770, 'closed', []],
  ] as const)('and belongs to another account, with the mode %o, is %s', (mode, expected, warned) => {
    const dataFolder = temporaryFolder()
    chmodSync(dataFolder, mode)
    const logger = createRecordingLogger()
    const getuid = process.getuid
    process.getuid = () => -1
    try {
      expect(closeToOthers(dataFolder, logger)).toBe(expected)
    } finally {
      if (getuid) process.getuid = getuid
    }
    expect(logger.lines.map(({ message }) => message)).toEqual(warned)
    expect(modeOf(dataFolder)).toBe(mode)
  })
})

describe('the encryption of a disk', () => {
  type Devices = Readonly<Record<string, { readonly uuid?: string; readonly slaves?: readonly string[] }>>

  /** Folders as those below `/sys/dev/block`. */
  function devicesWith(devices: Devices): string {
    const folder = temporaryFolder()
    for (const [name, { uuid, slaves = [] }] of Object.entries(devices)) {
      mkdirSync(join(folder, name, 'slaves'), { recursive: true })
      mkdirSync(join(folder, name, 'dm'))
      if (uuid !== undefined) writeFileSync(join(folder, name, 'dm', 'uuid'), `${uuid}\n`)
      for (const slave of slaves) symlinkSync(join(folder, slave), join(folder, name, 'slaves', slave))
    }
    return join(folder, 'disk')
  }

  it.each<[string, Devices, string]>([
    ['a partition', { disk: {} }, 'notEncrypted'],
    ['LUKS', { disk: { uuid: 'CRYPT-LUKS2-0a1b-luks', slaves: ['sda2'] }, sda2: {} }, 'encrypted'],
    [
      'LVM above LUKS',
      { disk: { uuid: 'LVM-x', slaves: ['dm0'] }, dm0: { uuid: 'CRYPT-LUKS1-x' } },
      'encrypted',
    ],
    ['LVM above a partition', { disk: { uuid: 'LVM-x', slaves: ['sda2'] }, sda2: {} }, 'notEncrypted'],
    [
      'a mirror of one that is and one that is not',
      { disk: { slaves: ['dm0', 'sdb'] }, dm0: { uuid: 'CRYPT-PLAIN-x' }, sdb: {} },
      'notEncrypted',
    ],
    ['layers without end', { disk: { slaves: ['disk'] } }, 'notEncrypted'],
  ])('on %s', async (_name, devices, expected) => {
    expect(await encryptionOfDevice(devicesWith(devices))).toBe(expected)
  })

  it('is unknown if the system does not answer', async () => {
    expect(await diskEncryptionOf('/nowhere/at/all')).toBe('unknown')
    await expect(encryptionOfDevice('/nowhere/at/all')).rejects.toThrow('ENOENT')
  })

  it.each([
    ['1\r\n', 'encrypted'],
    ['2\r\n', 'notEncrypted'],
    ['5\r\n', 'unknown'],
    ['', 'unknown'],
  ])('of BitLocker, which answers %j', (answer, expected) => {
    expect(encryptionByBitLocker(answer)).toBe(expected)
  })

  it.each([
    ['FileVault is On.\n', 'encrypted'],
    ['FileVault is Off.\n', 'notEncrypted'],
    ['FileVault is On.\nEncryption in progress: Percent completed = 34\n', 'unknown'],
    ['something else', 'unknown'],
  ])('of FileVault, which answers %j', (answer, expected) => {
    expect(encryptionByFileVault(answer)).toBe(expected)
  })
})
