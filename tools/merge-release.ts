/**
 * `node tools/merge-release.ts FROM TO`: copies what several computers packed, each in a folder of its own in FROM, into TO, ready
 * for the web server that stations look for updates at. A second file of one name is refused, never lost.
 */
import { createHash } from 'node:crypto'
import { constants, copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { lackOf, readUpdateList } from './update-list.ts'

const CHECKSUMS = 'SHA256SUMS'

function digest(path: string, algorithm: 'sha256' | 'sha512', encoding: 'hex' | 'base64'): string {
  return createHash(algorithm).update(readFileSync(path)).digest(encoding)
}

/** Throws if a file is not the one that was packed. */
function checkSums(folder: string): void {
  for (const line of readFileSync(join(folder, CHECKSUMS), 'utf8').trim().split('\n')) {
    const [sum = '', name = ''] = line.split('  ')
    if (digest(join(folder, name), 'sha256', 'hex') !== sum)
      throw new Error(`${name} is not what its checksum says.`)
  }
}

function mergeRelease(from: string, to: string): readonly string[] {
  mkdirSync(to)
  for (const system of readdirSync(from)) {
    const folder = join(from, system)
    checkSums(folder)
    for (const name of readdirSync(folder))
      if (name === 'notices') cpSync(join(folder, name), join(to, name, system), { recursive: true })
      else if (name !== CHECKSUMS)
        // Refuses a second file of the same name.
        copyFileSync(join(folder, name), join(to, name), constants.COPYFILE_EXCL)
  }
  const lists = readdirSync(to).filter((name) => /^latest.*\.yml$/.test(name))
  const versions = new Set<string>()
  for (const name of lists) {
    const list = readUpdateList(readFileSync(join(to, name), 'utf8'))
    versions.add(list.version)
    const lack = lackOf(name, list)
    if (lack !== null) throw new Error(lack)
    for (const { url, sha512 } of list.files)
      if (digest(join(to, url), 'sha512', 'base64') !== sha512)
        throw new Error(`${url} is not what ${name} announces.`)
  }
  if (versions.size > 1)
    throw new Error(
      `The lists name the versions ${[...versions].join(' and ')}: they are not of one release.`,
    )
  const files = readdirSync(to).filter((name) => name !== 'notices')
  const lines = files.map((name) => `${digest(join(to, name), 'sha256', 'hex')}  ${name}`)
  writeFileSync(join(to, CHECKSUMS), `${lines.join('\n')}\n`)
  return files
}

const [from, to] = process.argv.slice(2)
if (from === undefined || to === undefined) throw new Error('Two folders are needed: FROM and TO.')
for (const name of mergeRelease(from, to)) console.log(name)
