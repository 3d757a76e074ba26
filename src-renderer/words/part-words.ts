/** Words of the parts that stand on several screens. */
export const PART_WORDS = {
  serviceSaid: 'The service said:',
  status: (status: number) => `status ${status}`,
  requestSize: (size: string) => `request of ${size}`,
  photo: (eye: string, fileName: string) => `${eye}: ${fileName}`,
  removed: (day: string) => `Removed from this computer on ${day}`,
} as const
