/** Writes what is in the package and under which licences into `dist/notices`, for every package to carry along. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Licenses } from './licenses.ts'
import { isPacked, writeSbom } from './sbom.ts'

const appSchema = z.object({ name: z.string(), version: z.string(), license: z.string() })
/** As `licensesBesideScreens` has written it (licenses.ts): it alone knows what was built into the screens. */
const licensesSchema: z.ZodType<Licenses> = z.object({
  packages: z.array(
    z.object({
      name: z.string(),
      version: z.string(),
      license: z.string().nullable(),
      text: z.number().int().nullable(),
    }),
  ),
  texts: z.array(z.string()),
})

/** One text file, for people: which package has which licence, then each text once with those that it is of. */
export function licensesAsText({ packages, texts }: Licenses): string {
  const packed = packages.filter(isPacked)
  const list = packed.map(({ name, version, license }) => `${name} ${version}: ${license ?? 'not stated'}`)
  const full = texts.flatMap((text, index) => {
    const of = packed.filter((one) => one.text === index).map(({ name, version }) => `${name} ${version}`)
    return of.length === 0 ? [] : [`${'='.repeat(78)}\n${of.join(', ')}\n\n${text}`]
  })
  const head =
    'Fundus Courier is made with these packages. Electron and Chromium bring theirs in files of their own.'
  return `${[head, list.join('\n'), ...full].join('\n\n')}\n`
}

/** Needs the built screens; throws where they are not there. Answers with the folder. */
export function writeNotices(project: string): string {
  const readJson = (...path: readonly string[]): unknown =>
    JSON.parse(readFileSync(join(project, ...path), 'utf8'))
  const licenses = licensesSchema.parse(readJson('out', 'renderer', 'licenses.json'))
  const folder = join(project, 'dist', 'notices')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'licenses.txt'), licensesAsText(licenses))
  writeFileSync(
    join(folder, 'sbom.cdx.json'),
    writeSbom({
      app: appSchema.parse(readJson('package.json')),
      packages: licenses.packages,
      lockfile: readJson('package-lock.json'),
    }),
  )
  return folder
}
