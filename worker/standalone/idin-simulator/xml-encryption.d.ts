declare module 'xml-encryption' {
  export type EncryptOptions = {
    rsa_pub: string;
    pem: string;
    encryptionAlgorithm: string;
    keyEncryptionAlgorithm: string;
    disallowEncryptionWithInsecureAlgorithm: boolean;
    warnInsecureAlgorithm: boolean;
  };
  export function encrypt(
    content: string,
    options: EncryptOptions,
    callback: (error: Error | null, encrypted: string) => void,
  ): void;
}
