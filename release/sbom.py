"""The software bill of materials: CycloneDX 1.6 as JSON. https://cyclonedx.org/docs/1.6/json/"""

import datetime
import uuid

from cyclonedx.model import ExternalReference, ExternalReferenceType, HashAlgorithm, HashType, XsUri
from cyclonedx.model.bom import Bom, BomMetaData
from cyclonedx.model.contact import OrganizationalContact
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.model.license import LicenseExpression
from cyclonedx.output.json import JsonV1Dot6
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL

from facts import ReleaseError

PROGRAM = "omniread-cli"


def component(package):
    """A package as a component."""
    references = []
    if package.repository:
        references.append(ExternalReference(type=ExternalReferenceType.VCS, url=XsUri(package.repository)))
    hashes = [HashType(alg=HashAlgorithm.SHA_256, content=package.checksum)] if package.checksum else []
    authors = [OrganizationalContact(name=name) for name in package.authors.split(", ") if name]
    return Component(type=ComponentType.LIBRARY, name=package.name, version=package.version, bom_ref=package.key,
                     licenses=[LicenseExpression(package.licence)], hashes=hashes, external_references=references,
                     authors=authors,
                     purl=PackageURL(package.kind, None, package.name, package.version))


def bill(packages, version, target, epoch, digest):
    """The bill of a program: its packages, and the SHA-256 of its file.

    Raises ReleaseError if it does not follow the schema.
    """
    program = Component(type=ComponentType.APPLICATION, name="omniread", version=version, bom_ref=f"omniread@{version}",
                        licenses=[LicenseExpression("MIT OR Apache-2.0")],
                        hashes=[HashType(alg=HashAlgorithm.SHA_256, content=digest)],
                        purl=PackageURL("generic", None, "omniread", version, {"target": target}))
    # The same program has the same number and time.
    serial = uuid.uuid5(uuid.NAMESPACE_URL, f"omniread/{version}/{target}/{digest}")
    time = datetime.datetime.fromtimestamp(epoch, datetime.timezone.utc)
    bom = Bom(serial_number=serial, metadata=BomMetaData(component=program, timestamp=time))
    found = {package.key: component(package) for package in packages}
    for package in packages:
        bom.components.add(found[package.key])
    # The program itself is one of the crates, whose components are called over interfaces.
    roots = [found[package.key] for package in packages if package.name == PROGRAM or package.name.endswith("-component")]
    roots += [found[package.key] for package in packages if package.kind == "generic"]
    bom.register_dependency(program, roots)
    for package in packages:
        bom.register_dependency(found[package.key], [found[key] for key in package.needs])
    text = JsonV1Dot6(bom).output_as_string(indent=1)
    errors = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
    if errors is not None:
        raise ReleaseError(f"the bill of materials does not follow CycloneDX 1.6: {str(errors).splitlines()[0]}")
    return text + "\n"
