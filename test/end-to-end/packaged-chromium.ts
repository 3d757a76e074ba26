/** The Chromium of `@sparticuz/chromium`, unpacked whole. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, open, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const PROGRAM = 'chromium'
const UNPACK =
  "const { default: packaged } = await import('@sparticuz/chromium'); await packaged.executablePath()"

/** Where distributions keep the two libraries that Chromium needs and a small container lacks. */
const LIBRARY_FOLDERS = [
  '/lib/x86_64-linux-gnu',
  '/usr/lib/x86_64-linux-gnu',
  '/lib/aarch64-linux-gnu',
  '/usr/lib/aarch64-linux-gnu',
  '/usr/lib64',
  '/usr/lib',
]

function hasLibrary(name: string): boolean {
  return LIBRARY_FOLDERS.some((folder) => existsSync(join(folder, name)))
}

/** Its path in the temporary folder, unpacked there if it is missing. */
export async function packagedChromium(): Promise<string> {
  // The package looks at its environment while it is imported, and brings the libraries only if this is set.
  if (!hasLibrary('libnss3.so') || !hasLibrary('libnspr4.so'))
    process.env['AWS_EXECUTION_ENV'] ??= 'AWS_Lambda_nodejs20.x'
  await import('@sparticuz/chromium')
  const path = join(tmpdir(), PROGRAM)
  if (!(await isWhole(path))) await unpack()
  return path
}

/**
 * The package takes for ready whatever is there, also what another process is still writing or a run that was killed
 * left half-written. So it unpacks into a folder of its own, in a process whose temporary folder that is, and what is
 * whole takes its place in one step.
 */
async function unpack(): Promise<void> {
  const aside = await mkdtemp(join(tmpdir(), 'fundus-courier-chromium-'))
  try {
    await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', UNPACK], {
      cwd: import.meta.dirname,
      env: { ...process.env, TMPDIR: aside },
    })
    // The program comes last: if it is there, its fonts and libraries are.
    const names = (await readdir(aside)).filter((name) => name !== PROGRAM)
    for (const name of [...names, PROGRAM])
      await rename(join(aside, name), join(tmpdir(), name)).catch((error: unknown) => {
        // Another process was first with a folder, which is the same.
        if (!existsSync(join(tmpdir(), name))) throw error
      })
  } finally {
    await rm(aside, { recursive: true, force: true })
  }
}

/** An ELF file says at its front at which offset the table of its sections begins, which is the last that is in it. */
async function isWhole(path: string): Promise<boolean> {
  const file = await open(path).catch(() => null)
  if (!file) return false
  try {
    const { buffer } = await file.read(Buffer.alloc(64), 0, 64, 0)
    const end = Number(buffer.readBigUInt64LE(0x28)) + buffer.readUInt16LE(0x3a) * buffer.readUInt16LE(0x3c)
    return end > 0 && (await file.stat()).size >= end
  } finally {
    await file.close()
  }
}
