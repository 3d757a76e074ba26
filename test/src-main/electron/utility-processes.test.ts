/** How the desktop starts and ends the processes of its station. */
import { spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { beforeEach, expect, it, vi } from 'vitest'
import { startUtilityProcess } from '../../../src-main/electron/ports.ts'

const electron = vi.hoisted(() => ({ fork: vi.fn<(...options: readonly unknown[]) => unknown>() }))
vi.mock('electron', () => ({ app: {}, safeStorage: {}, session: {}, utilityProcess: electron }))

const program = new URL('file:///app/reader-worker.js')
const politeKill = vi.fn<() => boolean>()
let child: EventEmitter & { pid: number | undefined }
beforeEach(() => {
  child = Object.assign(new EventEmitter(), {
    pid: undefined,
    postMessage: () => undefined,
    kill: politeKill,
  })
  electron.fork.mockReturnValue(child)
})

function start(heapMb?: number) {
  const ends: string[] = []
  const started = startUtilityProcess(
    program,
    { onMessage: () => undefined, onExit: (how) => ends.push(how) },
    heapMb,
  )
  return { ...started, ends }
}

it('a full heap ends the process, and not the app', () => {
  const { ends } = start(384)
  expect(electron.fork.mock.lastCall?.[2]).toMatchObject({
    execArgv: ['--js-flags=--max-old-space-size=384'],
  })
  child.emit('error', 'FatalError', 'a place', 'a report')
  child.emit('exit', 134)
  expect(ends).toEqual(['code 134'])
})

it('one that is not there yet is ended once it is, and one that has just ended is no error', async () => {
  const started = start()
  started.kill()
  const real = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
  child.pid = real.pid
  child.emit('spawn')
  expect(await once(real, 'exit')).toEqual([null, 'SIGKILL'])
  expect(() => started.kill()).not.toThrow()
})
