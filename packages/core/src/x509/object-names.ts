/**
 * OpenSSL's short and long names of object identifiers. Keys are common leading arcs, entries `<remaining arcs> <short>|<long>`,
 * or `<remaining arcs> <name>` where both names are equal.
 */
const table: Readonly<Record<string, string>> = {
  // Attributes of distinguished names (X.520, RFC 4519, EV guidelines, Russian identifiers).
  '2.5.4': `
    3 CN|commonName, 4 SN|surname, 5 serialNumber, 6 C|countryName, 7 L|localityName, 8 ST|stateOrProvinceName,
    9 street|streetAddress, 10 O|organizationName, 11 OU|organizationalUnitName, 12 title, 13 description,
    14 searchGuide, 15 businessCategory, 16 postalAddress, 17 postalCode, 18 postOfficeBox,
    19 physicalDeliveryOfficeName, 20 telephoneNumber, 21 telexNumber, 22 teletexTerminalIdentifier,
    23 facsimileTelephoneNumber, 24 x121Address, 25 internationaliSDNNumber, 26 registeredAddress,
    27 destinationIndicator, 28 preferredDeliveryMethod, 29 presentationAddress, 30 supportedApplicationContext,
    31 member, 32 owner, 33 roleOccupant, 34 seeAlso, 41 name, 42 GN|givenName, 43 initials, 44 generationQualifier,
    45 x500UniqueIdentifier, 46 dnQualifier, 49 distinguishedName, 50 uniqueMember, 51 houseIdentifier, 54 dmdName,
    65 pseudonym, 72 role, 97 organizationIdentifier, 98 c3|countryCode3c, 99 n3|countryCode3n, 100 dnsName
  `,
  '0.9.2342.19200300.100.1': `
    1 UID|userId, 2 textEncodedORAddress, 3 mail|rfc822Mailbox, 4 info, 5 favouriteDrink, 6 roomNumber, 7 photo,
    8 userClass, 9 host, 10 manager, 11 documentIdentifier, 12 documentTitle, 13 documentVersion, 14 documentAuthor,
    15 documentLocation, 20 homeTelephoneNumber, 21 secretary, 22 otherMailbox, 25 DC|domainComponent,
    37 associatedDomain, 38 associatedName, 39 homePostalAddress, 40 personalTitle, 41 mobileTelephoneNumber,
    42 pagerTelephoneNumber, 43 friendlyCountryName, 44 uid|uniqueIdentifier, 45 organizationalStatus,
    46 janetMailbox, 48 buildingName
  `,
  '1.2.840.113549.1.9': `
    1 emailAddress, 2 unstructuredName, 7 challengePassword, 8 unstructuredAddress,
    15 SMIME-CAPS|S/MIME Capabilities, 20 friendlyName
  `,
  '1.3.6.1.4.1.311.60.2.1': `
    1 jurisdictionL|jurisdictionLocalityName, 2 jurisdictionST|jurisdictionStateOrProvinceName,
    3 jurisdictionC|jurisdictionCountryName
  `,
  '1.2.643': `
    3.131.1.1 INN, 100.1 OGRN, 100.3 SNILS, 100.5 OGRNIP, 100.111 subjectSignTool|Signing Tool of Subject,
    100.112 issuerSignTool|Signing Tool of Issuer
  `,
  // Extensions and their values (RFC 5280, RFC 6962, Netscape).
  '2.5.29': `
    9 subjectDirectoryAttributes|X509v3 Subject Directory Attributes,
    14 subjectKeyIdentifier|X509v3 Subject Key Identifier, 15 keyUsage|X509v3 Key Usage,
    16 privateKeyUsagePeriod|X509v3 Private Key Usage Period, 17 subjectAltName|X509v3 Subject Alternative Name,
    18 issuerAltName|X509v3 Issuer Alternative Name, 19 basicConstraints|X509v3 Basic Constraints,
    20 crlNumber|X509v3 CRL Number, 21 CRLReason|X509v3 CRL Reason Code,
    23 holdInstructionCode|Hold Instruction Code, 24 invalidityDate|Invalidity Date,
    27 deltaCRL|X509v3 Delta CRL Indicator, 28 issuingDistributionPoint|X509v3 Issuing Distribution Point,
    29 certificateIssuer|X509v3 Certificate Issuer, 30 nameConstraints|X509v3 Name Constraints,
    31 crlDistributionPoints|X509v3 CRL Distribution Points, 32 certificatePolicies|X509v3 Certificate Policies,
    32.0 anyPolicy|X509v3 Any Policy, 33 policyMappings|X509v3 Policy Mappings,
    35 authorityKeyIdentifier|X509v3 Authority Key Identifier, 36 policyConstraints|X509v3 Policy Constraints,
    37 extendedKeyUsage|X509v3 Extended Key Usage, 37.0 anyExtendedKeyUsage|Any Extended Key Usage,
    46 freshestCRL|X509v3 Freshest CRL, 54 inhibitAnyPolicy|X509v3 Inhibit Any Policy,
    55 targetInformation|X509v3 AC Targeting, 56 noRevAvail|X509v3 No Revocation Available
  `,
  '1.3.6.1.5.5.7.1': `
    1 authorityInfoAccess|Authority Information Access, 2 biometricInfo|Biometric Info, 3 qcStatements,
    4 ac-auditEntity, 5 ac-targeting, 6 aaControls, 7 sbgp-ipAddrBlock, 8 sbgp-autonomousSysNum,
    9 sbgp-routerIdentifier, 10 ac-proxying, 11 subjectInfoAccess|Subject Information Access,
    14 proxyCertInfo|Proxy Certificate Information, 24 tlsfeature|TLS Feature, 28 sbgp-ipAddrBlockv2,
    29 sbgp-autonomousSysNumv2
  `,
  '1.3.6.1.5.5.7.2': `1 id-qt-cps|Policy Qualifier CPS, 2 id-qt-unotice|Policy Qualifier User Notice, 3 textNotice`,
  '1.3.6.1.5.5.7.3': `
    1 serverAuth|TLS Web Server Authentication, 2 clientAuth|TLS Web Client Authentication,
    3 codeSigning|Code Signing, 4 emailProtection|E-mail Protection, 5 ipsecEndSystem|IPSec End System,
    6 ipsecTunnel|IPSec Tunnel, 7 ipsecUser|IPSec User, 8 timeStamping|Time Stamping, 9 OCSPSigning|OCSP Signing,
    10 DVCS|dvcs, 17 ipsecIKE|ipsec Internet Key Exchange, 18 capwapAC|Ctrl/provision WAP Access,
    19 capwapWTP|Ctrl/Provision WAP Termination, 21 secureShellClient|SSH Client, 22 secureShellServer|SSH Server,
    23 sendRouter|Send Router, 24 sendProxiedRouter|Send Proxied Router, 25 sendOwner|Send Owner,
    26 sendProxiedOwner|Send Proxied Owner, 27 cmcCA|CMC Certificate Authority, 28 cmcRA|CMC Registration Authority,
    29 cmcArchive|CMC Archive Server, 30 id-kp-bgpsec-router|BGPsec Router,
    31 id-kp-BrandIndicatorforMessageIdentification|Brand Indicator for Message Identification,
    32 cmKGA|Certificate Management Key Generation Authority
  `,
  '1.3.6.1.5.5.7.8': `
    1 id-on-personalData, 3 id-on-permanentIdentifier|Permanent Identifier, 5 id-on-xmppAddr|XmppAddr,
    7 id-on-dnsSRV|SRVName, 8 id-on-NAIRealm|NAIRealm, 9 id-on-SmtpUTF8Mailbox|Smtp UTF8 Mailbox
  `,
  '1.3.6.1.5.5.7.48': `
    1 OCSP, 1.1 basicOCSPResponse|Basic OCSP Response, 1.5 noCheck|OCSP No Check, 2 caIssuers|CA Issuers,
    3 ad_timestamping|AD Time Stamping, 4 AD_DVCS|ad dvcs, 5 caRepository|CA Repository,
    10 rpkiManifest|RPKI Manifest, 11 signedObject|Signed Object, 13 rpkiNotify|RPKI Notify
  `,
  '1.3.6.1.4.1.311': `
    2.1.14 msExtReq|Microsoft Extension Request, 2.1.21 msCodeInd|Microsoft Individual Code Signing,
    2.1.22 msCodeCom|Microsoft Commercial Code Signing, 10.3.1 msCTLSign|Microsoft Trust List Signing,
    10.3.3 msSGC|Microsoft Server Gated Crypto, 10.3.4 msEFS|Microsoft Encrypted File System,
    17.1 CSPName|Microsoft CSP Name, 17.2 LocalKeySet|Microsoft Local Key set,
    20.2.2 msSmartcardLogin|Microsoft Smartcard Login, 20.2.3 msUPN|Microsoft User Principal Name
  `,
  '1.3.6.1.4.1.11129.2.4': `
    2 ct_precert_scts|CT Precertificate SCTs, 3 ct_precert_poison|CT Precertificate Poison,
    4 ct_precert_signer|CT Precertificate Signer, 5 ct_cert_scts|CT Certificate SCTs
  `,
  '1.3.6.1.5.2.3': `4 pkInitClientAuth|PKINIT Client Auth, 5 pkInitKDC|Signing KDC Response`,
  '2.16.840.1.113730': `
    1 nsCertExt|Netscape Certificate Extension, 1.1 nsCertType|Netscape Cert Type, 1.2 nsBaseUrl|Netscape Base Url,
    1.3 nsRevocationUrl|Netscape Revocation Url, 1.4 nsCaRevocationUrl|Netscape CA Revocation Url,
    1.7 nsRenewalUrl|Netscape Renewal Url, 1.8 nsCaPolicyUrl|Netscape CA Policy Url,
    1.12 nsSslServerName|Netscape SSL Server Name, 1.13 nsComment|Netscape Comment, 2 nsDataType|Netscape Data Type,
    2.5 nsCertSequence|Netscape Certificate Sequence, 4.1 nsSGC|Netscape Server Gated Crypto
  `,
  '2.23.42.7': `0 setCext-hashedRoot`,
  '1.3.101.1.4': `1 SXNetID|Strong Extranet ID`,
  // Keys, curves, hashes and signatures.
  '1.2.840.113549.1.1': `
    1 rsaEncryption, 2 RSA-MD2|md2WithRSAEncryption, 3 RSA-MD4|md4WithRSAEncryption, 4 RSA-MD5|md5WithRSAEncryption,
    5 RSA-SHA1|sha1WithRSAEncryption, 6 rsaOAEPEncryptionSET, 7 RSAES-OAEP|rsaesOaep, 8 MGF1|mgf1,
    9 PSPECIFIED|pSpecified, 10 RSASSA-PSS|rsassaPss, 11 RSA-SHA256|sha256WithRSAEncryption,
    12 RSA-SHA384|sha384WithRSAEncryption, 13 RSA-SHA512|sha512WithRSAEncryption,
    14 RSA-SHA224|sha224WithRSAEncryption, 15 RSA-SHA512/224|sha512-224WithRSAEncryption,
    16 RSA-SHA512/256|sha512-256WithRSAEncryption
  `,
  '1.2.840.113549.2': `2 MD2|md2, 4 MD4|md4, 5 MD5|md5`,
  '1.2.840.10040.4': `1 DSA|dsaEncryption, 3 DSA-SHA1|dsaWithSHA1`,
  '1.2.840.10045.2': `1 id-ecPublicKey`,
  '1.2.840.10045.3.1': `1 prime192v1, 2 prime192v2, 3 prime192v3, 4 prime239v1, 5 prime239v2, 6 prime239v3, 7 prime256v1`,
  '1.2.840.10045.4': `
    1 ecdsa-with-SHA1, 2 ecdsa-with-Recommended, 3 ecdsa-with-Specified, 3.1 ecdsa-with-SHA224,
    3.2 ecdsa-with-SHA256, 3.3 ecdsa-with-SHA384, 3.4 ecdsa-with-SHA512
  `,
  '1.3.101': `110 X25519, 111 X448, 112 ED25519, 113 ED448`,
  '1.3.132.0': `
    8 secp160r1, 9 secp160k1, 10 secp256k1, 30 secp160r2, 31 secp192k1, 32 secp224k1, 33 secp224r1, 34 secp384r1,
    35 secp521r1
  `,
  '1.3.36.3.3.2.8.1.1': `
    1 brainpoolP160r1, 2 brainpoolP160t1, 3 brainpoolP192r1, 4 brainpoolP192t1, 5 brainpoolP224r1, 6 brainpoolP224t1,
    7 brainpoolP256r1, 8 brainpoolP256t1, 9 brainpoolP320r1, 10 brainpoolP320t1, 11 brainpoolP384r1,
    12 brainpoolP384t1, 13 brainpoolP512r1, 14 brainpoolP512t1
  `,
  '1.3.14.3.2': `
    3 RSA-NP-MD5|md5WithRSA, 12 DSA-old|dsaEncryption-old, 13 DSA-SHA|dsaWithSHA, 15 RSA-SHA|shaWithRSAEncryption,
    18 SHA|sha, 26 SHA1|sha1, 27 DSA-SHA1-old|dsaWithSHA1-old, 29 RSA-SHA1-2|sha1WithRSA
  `,
  '2.16.840.1.101.3.4.2': `
    1 SHA256|sha256, 2 SHA384|sha384, 3 SHA512|sha512, 4 SHA224|sha224, 5 SHA512-224|sha512-224,
    6 SHA512-256|sha512-256, 7 SHA3-224|sha3-224, 8 SHA3-256|sha3-256, 9 SHA3-384|sha3-384, 10 SHA3-512|sha3-512,
    11 SHAKE128|shake128, 12 SHAKE256|shake256
  `,
  '2.16.840.1.101.3.4.3': `
    1 dsa_with_SHA224, 2 dsa_with_SHA256, 3 id-dsa-with-sha384|dsa_with_SHA384, 4 id-dsa-with-sha512|dsa_with_SHA512,
    5 id-dsa-with-sha3-224|dsa_with_SHA3-224, 6 id-dsa-with-sha3-256|dsa_with_SHA3-256,
    7 id-dsa-with-sha3-384|dsa_with_SHA3-384, 8 id-dsa-with-sha3-512|dsa_with_SHA3-512,
    9 id-ecdsa-with-sha3-224|ecdsa_with_SHA3-224, 10 id-ecdsa-with-sha3-256|ecdsa_with_SHA3-256,
    11 id-ecdsa-with-sha3-384|ecdsa_with_SHA3-384, 12 id-ecdsa-with-sha3-512|ecdsa_with_SHA3-512,
    13 id-rsassa-pkcs1-v1_5-with-sha3-224|RSA-SHA3-224, 14 id-rsassa-pkcs1-v1_5-with-sha3-256|RSA-SHA3-256,
    15 id-rsassa-pkcs1-v1_5-with-sha3-384|RSA-SHA3-384, 16 id-rsassa-pkcs1-v1_5-with-sha3-512|RSA-SHA3-512
  `,
  '1.2.156.10197.1': `301 SM2|sm2, 401 SM3|sm3, 501 SM2-SM3|SM2-with-SM3, 504 RSA-SM3|sm3WithRSAEncryption`,
}

interface ObjectName {
  readonly short: string
  readonly long: string
}

const names: ReadonlyMap<string, ObjectName> = new Map(
  Object.entries(table).flatMap(([arcs, entries]) =>
    entries.split(',').map((entry): [string, ObjectName] => {
      const [, end = '', short = '', long = short] = /^([0-9.]+) ([^|]+)(?:\|(.+))?$/.exec(entry.trim()) ?? []
      return [`${arcs}.${end}`, { short, long }]
    }),
  ),
)

/** All entries of the table. */
export const namedObjects: Iterable<readonly [identifier: string, name: ObjectName]> = names

/** `CN` for `2.5.4.3`; the identifier itself if it has no entry. */
export const shortName = (identifier: string): string => names.get(identifier)?.short ?? identifier

/** `commonName` for `2.5.4.3`; the identifier itself if it has no entry. */
export const longName = (identifier: string): string => names.get(identifier)?.long ?? identifier
