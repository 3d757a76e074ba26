/** The part of dcmjs that tests use; it comes without types. */
declare module 'dcmjs' {
  type Element = { vr: string; Value: readonly unknown[] }
  class DicomDict {
    constructor(meta: Record<string, Element>)
    dict: Record<string, Element>
    write(options?: { fragmentMultiframe?: boolean; allowInvalidVRLength?: boolean }): ArrayBuffer
  }
  const dcmjs: {
    readonly data: {
      readonly DicomDict: typeof DicomDict
      readonly DicomMessage: {
        readFile(file: ArrayBuffer): { readonly dict: Readonly<Record<string, Element | undefined>> }
      }
    }
  }
  // oxlint-disable-next-line import/no-default-export -- so it is exported
  export default dcmjs
}
