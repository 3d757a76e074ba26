/** The files of a folder that a process of its own lists. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import type { FileMark } from '../../../../src-main/reader/watch-messages.ts'
import { openLister } from '../../../../src-main/station/readers/watcher.ts'
import { createRecordingLogger } from '../../../tools/recording-logger.ts'
import { ManualClock } from '../../../tools/manual-clock.ts'
import { stationPorts } from '../../../tools/station-ports.ts'
import { temporaryFolder, temporaryProgram } from '../../../tools/temporary-folder.ts'

const { workers, startProcess, clock } = stationPorts()
const own = { program: workers.watch, startProcess, clock, logger: createRecordingLogger() }

let path: string
beforeEach(() => {
  path = temporaryFolder()
})

async function allOf(folder: string, program = workers.watch): Promise<readonly FileMark[]> {
  const all: FileMark[] = []
  for await (const file of openLister({ ...own, program })(folder)) all.push(file)
  return all
}

it('come in full, each once, and the process ends if it is left early', async () => {
  expect(await allOf(path)).toEqual([])
  const names = Array.from({ length: 450 }, (_, index) => `${index}.jpg`)
  for (const name of names) await writeFile(join(path, name), 'x')
  const files = await allOf(path)
  expect(files.map(({ relativePath }) => relativePath).toSorted()).toEqual(names.toSorted())
  expect(files[0]).toMatchObject({ folderPath: path, sizeBytes: 1 })
  for await (const file of openLister(own)(path)) {
    expect(file).toMatchObject({ folderPath: path })
    break
  }
})

it('have none that could be at fault: the walk takes as long as it takes', async () => {
  await writeFile(join(path, '1.jpg'), 'x')
  const sent: unknown[] = []
  const start: typeof startProcess = (program, { onMessage, onExit }, heapMb) => {
    const received = (message: unknown): void => {
      sent.push(message)
      onMessage(message)
    }
    return startProcess(program, { onMessage: received, onExit }, heapMb)
  }
  for await (const file of openLister({ ...own, startProcess: start })(path))
    expect(file.relativePath).toBe('1.jpg')
  expect(sent).toContainEqual(expect.objectContaining({ kind: 'answer' }))
  expect(sent).not.toContainEqual(expect.objectContaining({ isReading: true }))
})

it('do not come if the folder is away, or if the process ends or hangs', async () => {
  await expect(allOf(join(path, 'none'))).rejects.toMatchObject({ code: 'ENOENT' })
  await expect(allOf(path, await temporaryProgram('process.exit(1)'))).rejects.toMatchObject({
    code: 'ETIMEDOUT',
  })
  const manual = new ManualClock()
  const hanging = await temporaryProgram(`
    process.on('message', ({ kind }) => {
      if (kind === 'close') process.exit()
    })`)
  const listing = openLister({ ...own, program: hanging, clock: manual })(path)
  const failed = expect(listing.next()).rejects.toMatchObject({ code: 'ETIMEDOUT' })
  await manual.turn(45_000)
  await failed
})
