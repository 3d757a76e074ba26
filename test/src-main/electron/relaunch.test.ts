import { spawn } from 'node:child_process'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { relaunch, startAfterEnd, wordsForRelaunch } from '../../../src-main/electron/relaunch.ts'
import { temporaryFolder } from './temporary-folder.ts'

describe('the next start after this one', () => {
  it('has the words of this one, stays out of sight if it was, and recovers nothing a second time', () => {
    const words = ['--config', '/etc/c.json', '--hidden', '--recover', '--disable-gpu']
    expect(wordsForRelaunch(words, { isHidden: true, add: ['--disable-gpu'] })).toEqual([
      '--config',
      '/etc/c.json',
      '--hidden',
      '--disable-gpu',
    ])
    expect(wordsForRelaunch(words, { isHidden: false, add: [] })).toEqual([
      '--config',
      '/etc/c.json',
      '--disable-gpu',
    ])
  })

  it.each([
    [true, ['--data', '/d', '--safe-mode']],
    // Left by a person: else the next bug would bring it back, hidden, and nothing would be sent.
    [false, ['--data', '/d']],
  ])('is in safe mode only where this one still is: %s', (isSafe, expected) => {
    expect(wordsForRelaunch(['--data', '/d', '--safe-mode'], { isHidden: false, isSafe })).toEqual(expected)
  })

  it('is left to Electron where the program stays where it is', () => {
    const asked: object[] = []
    relaunch({ relaunch: (options: object) => asked.push(options) }, ['--hidden'], undefined)
    expect(asked).toEqual([{ args: ['--hidden'] }])
  })
})

describe.skipIf(process.platform !== 'linux')('an AppImage (Linux only)', () => {
  it('is started with its words once the process has ended, and not before', async () => {
    const folder = await temporaryFolder()
    const program = join(folder, 'Fundus Courier.AppImage')
    const told = join(folder, 'told')
    await writeFile(
      program,
      '#!/bin/sh\nprintf "%s|" "$PWD" "$@" > "$FUNDUS_TOLD.new"\nmv "$FUNDUS_TOLD.new" "$FUNDUS_TOLD"\n',
    )
    await chmod(program, 0o755)
    process.env['FUNDUS_TOLD'] = told
    const first = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'], { stdio: 'ignore' })
    const ended = new Promise((resolve) => first.on('close', resolve))
    startAfterEnd(first.pid ?? 0, [program, '--hidden', '--data', '/srv/50% $HOME "x"'])
    delete process.env['FUNDUS_TOLD']
    await wait(700)
    await expect(readFile(told)).rejects.toThrow('ENOENT')
    first.kill('SIGKILL')
    await ended
    await expect
      .poll(() => readFile(told, 'utf8').catch(() => ''), { timeout: 5_000 })
      .toBe(`${process.cwd()}|--hidden|--data|/srv/50% $HOME "x"|`)
  })
})
