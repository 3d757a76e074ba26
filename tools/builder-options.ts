/** What differs from build to build, for electron-builder to merge over electron-builder.yml. Pure. */
import type { Configuration } from 'electron-builder'

type Environment = Readonly<Record<string, string | undefined>>

/** Azure Trusted Signing, whole or not at all. The account signs in by AZURE_TENANT_ID, AZURE_CLIENT_ID and AZURE_CLIENT_SECRET. */
const AZURE = {
  publisherName: 'AZURE_SIGN_PUBLISHER',
  endpoint: 'AZURE_SIGN_ENDPOINT',
  codeSigningAccountName: 'AZURE_SIGN_ACCOUNT',
  certificateProfileName: 'AZURE_SIGN_PROFILE',
} as const

type AzureOptions = Readonly<Record<keyof typeof AZURE, string>>

/** Null without any of them; throws if only some are set, because the installer would be unsigned. */
export function azureOptions(environment: Environment): AzureOptions | null {
  const names = Object.values(AZURE)
  const missing = names.filter((name) => !environment[name])
  if (missing.length === names.length) return null
  if (missing.length > 0) throw new Error(`For Azure Trusted Signing ${missing.join(', ')} must be set, too.`)
  const value = (name: string): string => environment[name] ?? ''
  return {
    publisherName: value(AZURE.publisherName),
    endpoint: value(AZURE.endpoint),
    codeSigningAccountName: value(AZURE.codeSigningAccountName),
    certificateProfileName: value(AZURE.certificateProfileName),
  }
}

/** Names that are set to nothing, as a workflow without secrets sets them; electron-builder would take some for a value. */
export function emptyNames(environment: Environment): readonly string[] {
  return Object.keys(environment).filter(
    (name) => /^(?:WIN_)?CSC_|^APPLE_|^AZURE_/.test(name) && environment[name] === '',
  )
}

/** Is there anything to sign with? On macOS the keychain may hold more than the environment states. */
export function isSigned(system: 'linux' | 'win' | 'mac', environment: Environment): boolean {
  const hasCertificate = Boolean(environment['CSC_LINK'])
  if (system === 'mac') return hasCertificate || Boolean(environment['CSC_NAME'])
  return hasCertificate || Boolean(environment['WIN_CSC_LINK']) || azureOptions(environment) !== null
}

/** The address of the updates as FUNDUS_COURIER_UPDATES names it, or null; throws if it is no https address. */
export function updateFeed(environment: Environment): string | null {
  const feed = environment['FUNDUS_COURIER_UPDATES']
  if (!feed) return null
  if (!URL.canParse(feed) || new URL(feed).protocol !== 'https:')
    throw new Error(
      'FUNDUS_COURIER_UPDATES must be an https address: anyone who answers there says what runs.',
    )
  return feed
}

export function builderOptions(options: {
  readonly environment: Environment
  /** The version of the outbox that this version of the program makes. */
  readonly outboxSchema: number
}): Configuration {
  const feed = updateFeed(options.environment)
  const azure = azureOptions(options.environment)
  const electronDist = options.environment['FUNDUS_COURIER_ELECTRON']
  return {
    // Goes into latest.yml; a station refuses what cannot read its outbox (updates/feed.ts).
    releaseInfo: { vendor: { outboxSchema: options.outboxSchema } },
    // Goes into the packed package.json.
    extraMetadata: { updateFeed: feed },
    ...(feed !== null && { publish: { provider: 'generic', url: feed } }),
    ...(azure !== null && { win: { azureSignOptions: azure } }),
    // A runtime that lies here already: a folder, or the zip that would be downloaded.
    ...(electronDist && { electronDist }),
  }
}
