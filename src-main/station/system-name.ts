/** The name that people know an operating system by; what Node tells of it differs from system to system. */
export function systemName({
  platform,
  version,
  release,
}: {
  readonly platform: NodeJS.Platform
  /** `os.version()` and `os.release()`. */
  readonly version: string
  readonly release: string
}): string {
  switch (platform) {
    case 'win32':
      // `Windows 11 Pro`, and `10.0.26100`.
      return `${version} ${release}`
    case 'darwin':
      return `macOS (Darwin ${release})`
    case 'linux':
      return `Linux ${release}`
    default:
      return `${platform} ${release}`
  }
}
