/** Writes what is in the package and under which licences into `dist/notices`, for every package to carry along. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { type Licenses, licensesAsText, packedOf, type ShippedPackage } from './licenses.ts'

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

/** The part of npm's bill of materials (CycloneDX) that is read here; the rest passes through. */
const bomSchema = z.looseObject({
  components: z.array(z.looseObject({ 'bom-ref': z.string(), name: z.string(), version: z.string() })),
  dependencies: z.array(z.object({ ref: z.string(), dependsOn: z.array(z.string()) })),
  metadata: z.looseObject({ component: z.looseObject({ 'bom-ref': z.string() }) }),
})

/**
 * npm's bill of materials, reduced to what is packed: npm lists every tool of the build, and cannot know which of them are
 * bundled into the screens. Without a time, a serial number or the folder's name, so that the same sources give the same bytes.
 */
export function sbomOf(npmSbom: unknown, app: string, packages: readonly ShippedPackage[]): string {
  const { components, dependencies, metadata, serialNumber: _serial, ...bom } = bomSchema.parse(npmSbom)
  const packed = new Set(packedOf(packages).map(({ name, version }) => `${name} ${version}`))
  const kept = components.filter(({ name, version }) => packed.has(`${name} ${version}`))
  const refs = new Set([metadata.component['bom-ref'], ...kept.map((component) => component['bom-ref'])])
  const reduced = {
    ...bom,
    metadata: { component: { ...metadata.component, name: app } },
    components: kept,
    dependencies: dependencies
      .filter(({ ref }) => refs.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((needed) => refs.has(needed)) })),
  }
  return `${JSON.stringify(reduced, null, 2)}\n`
}

/** What the lockfile names, by the npm that runs this script or the one on the PATH. */
function readNpmSbom(project: string): unknown {
  const parameters = [
    'sbom',
    '--package-lock-only',
    '--sbom-format=cyclonedx',
    '--sbom-type=application',
    '--offline',
  ]
  const npm = process.env['npm_execpath']
  const options = { cwd: project, encoding: 'utf8', maxBuffer: 64 << 20, stdio: 'pipe' } as const
  return JSON.parse(
    npm === undefined
      ? execFileSync('npm', parameters, { ...options, shell: process.platform === 'win32' })
      : execFileSync(process.execPath, [npm, ...parameters], options),
  )
}

/** Needs the built screens; throws if they are missing. Returns the folder. */
export function writeNotices(project: string): string {
  const readJson = (...path: readonly string[]): unknown =>
    JSON.parse(readFileSync(join(project, ...path), 'utf8'))
  const licenses = licensesSchema.parse(readJson('out', 'renderer', 'licenses.json'))
  const { name } = z.object({ name: z.string() }).parse(readJson('package.json'))
  const folder = join(project, 'dist', 'notices')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'licenses.txt'), licensesAsText(licenses))
  writeFileSync(join(folder, 'sbom.cdx.json'), sbomOf(readNpmSbom(project), name, licenses.packages))
  return folder
}
