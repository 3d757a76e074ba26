import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from './temporary-folder.ts'

const projectFolder = resolve(import.meta.dirname, '../..')
const launcher = join(projectFolder, 'tools/run.mjs')
const system = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
const hasInstalledNode = existsSync(join(projectFolder, 'node_modules', `node-${system}`))

type Pretended = { readonly node: string; readonly platform?: string; readonly arch?: string }

/** A module that makes this Node look like another one to the launcher. */
function pretending({ node, platform = process.platform, arch = process.arch }: Pretended): string {
  return `data:text/javascript,${encodeURIComponent(`
    Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${node}' } })
    Object.defineProperty(process, 'platform', { value: '${platform}' })
    Object.defineProperty(process, 'arch', { value: '${arch}' })`)}`
}

async function scriptOf(source: string): Promise<string> {
  const path = join(temporaryFolder(), 'script.mts')
  await writeFile(path, source)
  return path
}

type Launch = { readonly code: number | null; readonly output: string }

async function launch(script: string, as: Pretended, sendSignal = false): Promise<Launch> {
  const child = spawn(process.execPath, ['--import', pretending(as), launcher, script, 'one', '--two'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const read = (text: string): void => {
    output += text
    if (sendSignal && text.includes('ready')) child.kill('SIGTERM')
  }
  child.stdout.setEncoding('utf8').on('data', read)
  child.stderr.setEncoding('utf8').on('data', read)
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, output }
}

const REPORT = `
const facts: readonly unknown[] = [process.versions.node, process.argv.slice(2), process.argv[1] === import.meta.filename]
console.log(JSON.stringify(facts))
process.exitCode = 3`

describe('the launcher of the npm scripts', () => {
  it('runs a script on this Node if it is new enough, as if Node had been started with it', async () => {
    const { code, output } = await launch(await scriptOf(REPORT), { node: '22.22.0' })
    expect(JSON.parse(output)).toEqual(['22.22.0', ['one', '--two'], true])
    expect(code).toBe(3)
  })

  it.skipIf(!hasInstalledNode)('takes the Node that npm installed if this one is too old', async () => {
    const { code, output } = await launch(await scriptOf(REPORT), { node: '20.20.2' })
    expect(JSON.parse(output)).toEqual(['24.21.0', ['one', '--two'], true])
    expect(code).toBe(3)
  })

  it.skipIf(!hasInstalledNode)('passes on what ends the program, and waits for its orderly end', async () => {
    const script = await scriptOf(`
      process.once('SIGTERM', () => { console.log('ended in order'); process.exit(7) })
      setInterval(() => {}, 1_000)
      console.log('ready')`)
    expect(await launch(script, { node: '20.20.2' }, true)).toEqual({
      code: 7,
      output: 'ready\nended in order\n',
    })
  })

  it('says which Node is needed if npm has none for this system', async () => {
    const script = await scriptOf(REPORT)
    const { code, output } = await launch(script, { node: '20.20.2', platform: 'darwin' })
    expect(output).toContain('needs Node 22.22 or newer, and this is Node 20.20.2')
    expect(output).toContain(`npm has no Node for this system (darwin-${process.arch})`)
    expect(output).toContain('Install Node 24')
    expect(code).toBe(1)
    const platform = process.platform === 'win32' ? 'linux' : 'win32'
    const other = await launch(script, { node: '20.20.2', platform, arch: 'x64' })
    expect(other.output).toContain('Run `npm ci`')
    expect(other.code).toBe(1)
  })
})
