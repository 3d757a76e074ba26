/** How the desktop starts and ends the processes of its station. */
import { spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { startUtilityProcess } from '../../../src-main/electron/ports.ts'
import { openReaderProcesses } from '../../../src-main/station/readers/processes.ts'
import { openWatcher } from '../../../src-main/station/readers/watcher.ts'
import { utilityProcess } from '../../end-to-end/fake-electron/app/utility.ts'
import { drawing } from '../reader/draw-images.ts'
import { createRecordingLogger } from '../../tools/recording-logger.ts'
import { stationPorts } from '../../tools/station-ports.ts'
import { temporaryFolder } from '../../tools/temporary-folder.ts'

const electron = vi.hoisted(() => ({ fork: vi.fn<(...options: readonly unknown[]) => unknown>() }))
vi.mock('electron', () => ({ app: {}, safeStorage: {}, session: {}, utilityProcess: electron }))

vi.mock(
  import('../../end-to-end/fake-electron/app/link.ts'),
  () =>
    ({
      needsReady: () => undefined,
      strict: (_name: string, value: unknown) => value,
    }) as never,
)

const program = new URL('file:///app/pictures-worker.js')
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
    execArgv: ['--js-flags=--max-semi-space-size=2 --max-old-space-size=384'],
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

/** As `utilityProcess` of Electron starts it, with this before the program: it dies at the first opening of `deadly`. */
function deadly(worker: URL): URL {
  const fork = (...how: readonly unknown[]) =>
    utilityProcess.fork(...(how as Parameters<typeof utilityProcess.fork>))
  electron.fork.mockImplementation(fork)
  const path = join(temporaryFolder(), 'program.mjs')
  writeFileSync(
    path,
    `import fs from 'node:fs'
     import { syncBuiltinESMExports } from 'node:module'
     const { open } = fs.promises
     fs.promises.open = async (path, ...rest) => {
       if (String(path).includes('deadly')) process.kill(process.pid, 'SIGSEGV')
       return open(path, ...rest)
     }
     syncBuiltinESMExports()
     await import(${JSON.stringify(worker.href)})`,
  )
  return pathToFileURL(path)
}

it('a picture that ends one is known, and so is a file of a folder; the next one goes on', async () => {
  const { workers, clock } = stationPorts()
  const [folder, logger] = [temporaryFolder(), createRecordingLogger()]
  for (const name of ['a', 'deadly', 'z'])
    writeFileSync(join(folder, `${name}.jpg`), await drawing().jpeg().toBuffer())
  const own = { startProcess: startUtilityProcess, logger }
  const reader = openReaderProcesses({
    ...own,
    programs: { ...workers, pictures: deadly(workers.pictures) },
    lanes: 1,
  })
  onTestFinished(() => reader.close())
  const how = { contentType: 'image/jpeg', pictureFolder: folder } as const
  let deaths = 0
  const kinds = ['deadly', 'a'].map(async (name) => {
    const path = join(folder, `${name}.jpg`)
    return (await reader.readPhoto({ ...how, path }, () => (deaths += 1))).kind
  })
  expect([await Promise.all(kinds), deaths]).toEqual([['died', 'whole'], 1])

  const suspects: string[] = []
  const settled = new Set<string>()
  const watcher = openWatcher({
    ...own,
    clock,
    program: deadly(workers.watch),
    folder: { path: folder, settleMs: 50, sweepMs: 500, lease: null },
    lookup: (files) =>
      files.map(({ relativePath }) =>
        suspects.includes(relativePath) ? { as: 'suspect', inMs: 60_000 } : 'new',
      ),
    recordDeaths: (files) => (suspects.push(...files.map(({ relativePath }) => relativePath)), true),
    onEvent: (event) => event.kind === 'settled' && settled.add(event.file.relativePath),
  })
  onTestFinished(() => watcher.close())
  await vi.waitFor(() => expect([...settled].toSorted()).toEqual(['a.jpg', 'z.jpg']), { timeout: 20_000 })
  expect(suspects).toEqual(['deadly.jpg'])
}, 60_000)
