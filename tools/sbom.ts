/**
 * What is in the package, as CycloneDX 1.6 (https://cyclonedx.org/docs/1.6/json/): for those who must know at once
 * whether a flaw that became known is in it. Made of what is installed and built in, nothing by hand; the same sources
 * give the same bytes, and nothing tells of the machine or of the registry that the packages came from.
 */
import { z } from 'zod'
import type { ShippedPackage } from './licenses.ts'

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({ version: z.string().optional(), integrity: z.string().optional() }),
  ),
})

/** What electron-builder.yml leaves out: the Node of the headless host, and what better-sqlite3 is compiled with. */
const NOT_PACKED = /^node-(?:addon-api|(?:linux|darwin|win)-.+)$/

export function isPacked({ name }: Pick<ShippedPackage, 'name'>): boolean {
  return !NOT_PACKED.test(name)
}

/** The address of a package in every registry for npm, https://github.com/package-url/purl-spec. */
function purlOf(name: string, version: string): string {
  return `pkg:npm/${name.replace(/^@/, '%40')}@${encodeURIComponent(version)}`
}

/** The SHA-512 of each package as the lockfile pins it, by `name version`. */
function readHashes(lockfile: unknown): ReadonlyMap<string, string> {
  const { packages } = lockSchema.parse(lockfile)
  return new Map(
    Object.entries(packages).flatMap(([path, { version, integrity }]) => {
      const sha512 = /(?:^|\s)sha512-(\S+)/.exec(integrity ?? '')?.[1]
      const name = path.split('node_modules/').at(-1)
      return sha512 === undefined
        ? []
        : [[`${name} ${version}`, Buffer.from(sha512, 'base64').toString('hex')]]
    }),
  )
}

/** An SPDX expression, or a name where it is none that SPDX knows. */
function licensesOf(license: string | null): readonly object[] {
  if (license === null) return []
  return /^[\w.+-]+(?: (?:AND|OR|WITH) [\w.+-]+)*$|^\(.+\)$/.test(license)
    ? [{ expression: license }]
    : [{ license: { name: license } }]
}

export function writeSbom(given: {
  readonly app: { readonly name: string; readonly version: string; readonly license: string }
  readonly packages: readonly ShippedPackage[]
  readonly lockfile: unknown
}): string {
  const { app } = given
  const hashes = readHashes(given.lockfile)
  const components = given.packages.filter(isPacked).map(({ name, version, license }) => {
    const purl = purlOf(name, version)
    const sha512 = hashes.get(`${name} ${version}`)
    return {
      type: name === 'electron' ? 'framework' : 'library',
      'bom-ref': purl,
      name,
      version,
      purl,
      ...(sha512 !== undefined && { hashes: [{ alg: 'SHA-512', content: sha512 }] }),
      licenses: licensesOf(license),
    }
  })
  const itself = purlOf(app.name, app.version)
  const bom = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': itself,
        name: app.name,
        version: app.version,
        licenses: licensesOf(app.license),
      },
    },
    components,
    dependencies: [{ ref: itself, dependsOn: components.map((component) => component.purl) }],
  }
  return `${JSON.stringify(bom, null, 2)}\n`
}
