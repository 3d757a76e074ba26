import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { listInThread } from '../../../../src-main/station/watch/list-folder.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'

const workerUrl = new URL('../../../../src-main/station/watch/watch-worker.ts', import.meta.url)

async function listed(folder: string, url = workerUrl): Promise<string[]> {
  const names: string[] = []
  for await (const { folderPath, relativePath } of listInThread(url, folder)) {
    expect(folderPath).toBe(folder)
    names.push(relativePath)
  }
  return names.toSorted()
}

it.each([0, 1, 200, 451])('lists %d files in a thread, each once', async (count) => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'v'))
  const names = Array.from({ length: count }, (_, index) => `v/${index}.jpg`)
  for (const name of names) writeFileSync(join(folder, name), 'x')
  expect(await listed(folder)).toEqual(names.toSorted())
})

it('tells a folder that is away from an empty one', async () => {
  await expect(listed(join(temporaryFolder(), 'none'))).rejects.toMatchObject({ code: 'ENOENT' })
})

it('tells that the thread ended without a word', async () => {
  const program = join(temporaryFolder(), 'worker.mjs')
  for (const text of ['process.exit(1)', 'throw new Error("a defect")']) {
    writeFileSync(program, text)
    await expect(listed(temporaryFolder(), pathToFileURL(program))).rejects.toThrow()
  }
})

it('ends the thread when it is left early', async () => {
  const folder = temporaryFolder()
  for (let index = 0; index < 500; index += 1) writeFileSync(join(folder, `${index}.jpg`), 'x')
  for await (const file of listInThread(workerUrl, folder)) {
    expect(file.sizeBytes).toBe(1)
    break
  }
})
